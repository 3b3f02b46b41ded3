import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "node:path";
import { eventId } from "@markethook/protocol";
import { Client } from "pg";
import { event, fileVersion, keyed, update } from "./conformance/reports.ts";
import type { Store } from "./port/store.ts";
import { migrate as migratePostgres } from "./postgres/migrate.ts";
import { MIGRATIONS as POSTGRES } from "./postgres/migrations/index.ts";
import { openPostgres } from "./postgres/open.ts";
import { Connection } from "./sqlite/connection.ts";
import { migrate as migrateSqlite } from "./sqlite/migrate.ts";
import { MIGRATIONS as SQLITE } from "./sqlite/migrations/index.ts";
import { openSqlite } from "./sqlite/open.ts";
import { TEST_OPTIONS } from "./sqlite/open-harness.ts";
import { createTestDatabase, execute } from "./testing/postgres-server.ts";
import { inFolder } from "./testing/temporary-folder.ts";

const TAG = "abcdefghij";
const KEPT_MS = 72 * 3600 * 1000;
/** Keys as schema 1 kept them: two of the marketplace's own, days apart, one of an erased event, an update's id. */
const SCHEMA_1 = `
  insert into resources (id, owner_id, title, subtitle, created_at, updated_at) values ('r', 'o', 'T', '', 0, 0);
  insert into idempotency_keys (key, body_hash, event_seq, tag, created_at) values
    ('r:order é:r', 'one', 11, '${TAG}', mh_now()),
    ('r:older:r', 'two', 12, '${TAG}', mh_now() - ${KEPT_MS / 2}),
    ('r:erased:r', '', 13, '${TAG}', mh_now()),
    ('u:r:7', '', 14, '${TAG}', mh_now())`;

async function assertKnown(store: Store): Promise<void> {
  const { results } = await store.events.accept(
    [
      event("r", "purchase", 1, keyed("order é", "one")),
      event("r", "purchase", 2, keyed("older", "two")),
      event("r", "purchase", 3, keyed("erased", "whatever")),
      update("r", fileVersion("7"), { previous: fileVersion("6") }),
      event("r", "purchase", 1, keyed("order é", "another")),
    ],
    null,
  );
  assert.deepEqual(results, [
    ...[11, 12, 13, 14].map((seq) => ({ kind: "duplicate", eventId: eventId({ seq, tag: TAG }) })),
    { kind: "rejected", code: "idempotency_key_reused" },
  ]);
  const fresh = [event("r", "purchase", 4, keyed("new"))];
  assert.equal((await store.events.accept(fresh, null)).results[0]?.kind, "accepted");
  assert.equal((await store.events.accept(fresh, null)).results[0]?.kind, "duplicate");
}

test(
  "keys stored with schema 1 are known after the upgrade, on SQLite",
  inFolder(async (folder) => {
    const db = new Connection(join(folder, "markethook.sqlite"), Date.now, () => performance.now());
    migrateSqlite(db, SQLITE.slice(0, 1));
    db.exec(SCHEMA_1);
    db.close();
    const store = await openSqlite({ ...TEST_OPTIONS, folder });
    await assertKnown(store);
    await store.close();
  }),
);

test("keys stored with schema 1 are known after the upgrade, on PostgreSQL", async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  await migratePostgres(database.url, POSTGRES.slice(0, 1));
  await execute(database.url, SCHEMA_1);
  const store = await openPostgres({ ...TEST_OPTIONS, url: database.url });
  await assertKnown(store);
  await store.close();
});

test("no generation begins while somebody accepts, who would not see its keys, on PostgreSQL", async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const store = await openPostgres({ ...TEST_OPTIONS, url: database.url });
  t.after(() => store.close());
  const generations = async (): Promise<unknown> =>
    (await execute(database.url, "select count(*)::int as n from key_generations"))[0]?.["n"];
  const accepting = new Client({ connectionString: database.url });
  await accepting.connect();
  await accepting.query("begin; select pg_advisory_xact_lock_shared(7411003)");
  await store.maintenance.prune(KEPT_MS, KEPT_MS, 10);
  assert.equal(await generations(), 1);
  await accepting.end();
  await store.maintenance.prune(KEPT_MS, KEPT_MS, 10);
  assert.equal(await generations(), 2);
  await store.maintenance.prune(KEPT_MS, KEPT_MS, 10);
  assert.equal(await generations(), 2, "the next one is not due yet");
});
