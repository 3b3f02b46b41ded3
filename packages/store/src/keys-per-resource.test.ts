import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { eventId } from "@markethook/protocol";
import { event, keyed } from "./conformance/world.ts";
import type { Store } from "./port/store.ts";
import { migrate as migratePostgres } from "./postgres/migrate.ts";
import { MIGRATIONS as POSTGRES } from "./postgres/migrations/index.ts";
import { openPostgres } from "./postgres/open.ts";
import { Connection } from "./sqlite/connection.ts";
import { migrate as migrateSqlite } from "./sqlite/migrate.ts";
import { MIGRATIONS as SQLITE } from "./sqlite/migrations/index.ts";
import { openSqlite } from "./sqlite/open.ts";
import { createTestDatabase, execute } from "./testing/postgres-server.ts";
import { inFolder } from "./testing/temporary-folder.ts";

const OPTIONS = {
  baseUrl: "https://market.example",
  masterKeys: [new Uint8Array(32).fill(7)],
} as const;
const BEFORE = SQLITE.findIndex(({ name }) => name.endsWith("-keys-per-resource"));

/** As the version before kept keys: one per event, whatever its resource, and one whose event is pruned. */
const STORED = `
insert into resources (id, owner_id, title, subtitle, created_at, updated_at)
values ('map', 'o', 'Map', '', 1, 1), ('pack', 'o', 'Pack', '', 1, 1);
insert into events (seq, tag, resource_id, kind, time, user_id, payload, accepted_at, touched_at)
values (5, 'aaaaaaaaaa', 'map', 0, 1, 7, '{}', 1, 1), (6, 'bbbbbbbbbb', 'pack', 0, 1, 7, '{}', 1, 1);
insert into idempotency_keys (key, body_hash, event_seq, tag, created_at)
values ('k:order-1', 'body', 5, 'aaaaaaaaaa', 1), ('k:r:o:2', 'body', 6, 'bbbbbbbbbb', 1),
       ('k:order-3', 'body', 4, 'cccccccccc', 1), ('u:map:u1', '', 5, 'aaaaaaaaaa', 1);`;
const KEYS = "select key from idempotency_keys order by key";
const AFTER = ["k:order-3", "r:order-1:map", "r:r:o:2:pack", "u:map:u1"];

/** Repeats of both stored requests, and the first key with the other resource. */
async function reportAgain(store: Store): Promise<void> {
  const items = [
    event("map", "purchase", 7, keyed("order-1")),
    event("pack", "purchase", 7, keyed("r:o:2")),
    event("pack", "purchase", 7, keyed("order-1")),
  ];
  const { results } = await store.events.accept(items, null);
  await store.close();
  assert.deepEqual(results.slice(0, 2), [
    { kind: "duplicate", eventId: eventId({ seq: 5, tag: "aaaaaaaaaa" }) },
    { kind: "duplicate", eventId: eventId({ seq: 6, tag: "bbbbbbbbbb" }) },
  ]);
  assert.equal(results[2]?.kind, "accepted");
}

test(
  "a repeat of what was reported before the upgrade is a duplicate still, on SQLite",
  inFolder(async (folder) => {
    const db = new Connection(join(folder, "markethook.sqlite"), Date.now, () => performance.now());
    migrateSqlite(db, SQLITE.slice(0, BEFORE));
    db.exec(STORED);
    migrateSqlite(db);
    assert.deepEqual(
      db.all(KEYS).map(({ key }) => key),
      AFTER,
    );
    db.close();
    const store = await openSqlite({ ...OPTIONS, folder });
    await reportAgain(store);
  }),
);

test("a repeat of what was reported before the upgrade is a duplicate still, on PostgreSQL", async () => {
  const { url, drop } = await createTestDatabase();
  try {
    await migratePostgres(url, POSTGRES.slice(0, BEFORE));
    await execute(url, STORED);
    await migratePostgres(url);
    assert.deepEqual(
      (await execute(url, KEYS)).map(({ key }) => key),
      AFTER,
    );
    const store = await openPostgres({ ...OPTIONS, url });
    await reportAgain(store);
  } finally {
    await drop();
  }
});
