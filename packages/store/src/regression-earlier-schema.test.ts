import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "node:path";
import { Client } from "pg";
import { withCode } from "./conformance/world.ts";
import { expectedShape, missingParts } from "./expected-shape.ts";
import { migrate as migratePostgres } from "./postgres/migrate.ts";
import { MIGRATIONS as POSTGRES } from "./postgres/migrations/index.ts";
import { readShape as readPostgres } from "./postgres/shape.ts";
import { Connection } from "./sqlite/connection.ts";
import { migrate as migrateSqlite } from "./sqlite/migrate.ts";
import { MIGRATIONS as SQLITE } from "./sqlite/migrations/index.ts";
import { readShape as readSqlite } from "./sqlite/shape.ts";
import { createTestDatabase, execute } from "./testing/postgres-server.ts";
import { inFolder } from "./testing/temporary-folder.ts";

/**
 * The first migration was changed until 925d00e. A database of an earlier state counts as many migrations, and failed in
 * the middle of the upgrade with "no such index"; some migrations had been applied by then.
 */
const EARLIER = `
drop index events_by_resource;
drop table attempt_counts;
drop table portal_sessions;
alter table webhooks drop column paused_at;`;
const SAYS =
  /has schema 1, but lacks column webhooks\.paused_at, index .* more parts: an unreleased/;

test(
  "a database of an earlier first migration is refused before anything is changed, on SQLite",
  inFolder((folder) => {
    const db = new Connection(join(folder, "db"), Date.now, () => performance.now());
    migrateSqlite(db, SQLITE.slice(0, 1));
    db.exec(EARLIER);
    const before = readSqlite(db);
    assert.throws(
      () => migrateSqlite(db),
      (error: Error) => {
        assert.match(error.message, SAYS);
        return withCode("schema_unknown")(error);
      },
    );
    assert.deepEqual(readSqlite(db), before);
    assert.equal(db.get("pragma user_version")?.["user_version"], 1);
    db.close();
  }),
);

test("a database of an earlier first migration is refused before anything is changed, on PostgreSQL", async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  await migratePostgres(database.url, POSTGRES.slice(0, 1));
  await execute(database.url, EARLIER);
  const before = await shapeOf(database.url);
  await assert.rejects(migratePostgres(database.url), (error: Error) => {
    assert.match(error.message, SAYS);
    return withCode("schema_unknown")(error);
  });
  assert.deepEqual(await shapeOf(database.url), before);
});

test("every released schema is upgraded, and what an operator added is no obstacle, on both databases", async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const client = new Client({ connectionString: database.url });
  await client.connect();
  for (let applied = 1; applied <= SQLITE.length; applied += 1) {
    await migratePostgres(database.url, POSTGRES.slice(0, applied));
    assert.deepEqual(missingParts(applied, await readPostgres(client)), [], `schema ${applied}`);
    if (applied === 1) {
      await execute(
        database.url,
        "create index mine on webhooks (url); create table mine_too (a int)",
      );
    }
  }
  await client.end();
  assert.ok(expectedShape(SQLITE.length).has("column webhooks.owner_id"));
});

async function shapeOf(url: string): Promise<Set<string>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await readPostgres(client);
  } finally {
    await client.end();
  }
}
