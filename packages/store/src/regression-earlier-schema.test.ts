import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "node:path";
import { Client } from "pg";
import { withCode } from "./conformance/checks.ts";
import { expectedShape, missingParts } from "./expected-shape.ts";
import { inspectPostgres } from "./postgres/inspect.ts";
import { migrate as migratePostgres } from "./postgres/migrate.ts";
import { MIGRATIONS as POSTGRES } from "./postgres/migrations/index.ts";
import { readShape as readPostgres } from "./postgres/read-shape.ts";
import { Connection } from "./sqlite/connection.ts";
import { migrate as migrateSqlite } from "./sqlite/migrate.ts";
import { MIGRATIONS as SQLITE } from "./sqlite/migrations/index.ts";
import { readShape as readSqlite } from "./sqlite/read-shape.ts";
import { createMigratedDatabase, createTestDatabase, execute } from "./testing/postgres-server.ts";
import { inFolder } from "./testing/temporary-folder.ts";

/**
 * Before the first release the schema had other tables, and its last state counted 20 migrations. A start that only
 * compares numbers takes such a database for one of a newer version.
 */
const UNRELEASED = "create table live (seq integer primary key, life integer not null)";
const SAYS = /has schema 20, with tables of an unreleased version/;
/** A table that a further migration needs is gone. */
const DAMAGE = "drop table notices";
const LACKS = /has schema 1, but lacks table notices: /;
const NEXT = { name: "0002-next", sql: "alter table notices add column mark text" };

function refused(says: RegExp): (error: Error) => boolean {
  return (error) => {
    assert.match(error.message, says);
    return withCode("schema_unknown")(error);
  };
}

test(
  "a database of an unreleased version is refused and left as it is, on SQLite",
  inFolder((folder) => {
    const db = new Connection(join(folder, "db"), Date.now, () => performance.now());
    db.exec(`${UNRELEASED}; pragma user_version = 20`);
    const before = readSqlite(db);
    assert.throws(() => migrateSqlite(db), refused(SAYS));
    assert.deepEqual(readSqlite(db), before);
    db.close();
  }),
);

test("a database of an unreleased version is refused and left as it is, on PostgreSQL", async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  await execute(
    database.url,
    `${UNRELEASED};
     create table schema_version (version integer primary key, name text not null, applied_at timestamptz not null default now());
     insert into schema_version (version, name) values (20, '0020-encrypted-addresses')`,
  );
  const before = await shapeOf(database.url);
  await assert.rejects(migratePostgres(database.url), refused(SAYS));
  assert.deepEqual(await shapeOf(database.url), before);
});

test(
  "a database that lacks a part of its schema is refused before anything is changed, on SQLite",
  inFolder((folder) => {
    const db = new Connection(join(folder, "db"), Date.now, () => performance.now());
    migrateSqlite(db, SQLITE.slice(0, 1));
    db.exec(DAMAGE);
    assert.throws(() => migrateSqlite(db, [...SQLITE.slice(0, 1), NEXT]), refused(LACKS));
    assert.equal(db.get("pragma user_version")?.["user_version"], 1);
    db.close();
  }),
);

test("a database that lacks a part of its schema is refused before anything is changed, on PostgreSQL", async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  await migratePostgres(database.url, POSTGRES.slice(0, 1));
  await execute(database.url, DAMAGE);
  await assert.rejects(
    migratePostgres(database.url, [...POSTGRES.slice(0, 1), NEXT]),
    refused(LACKS),
  );
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

test("an index that PostgreSQL does not use is told as that, at a start if the service needs it, and by an inspection", async (t) => {
  const { url, drop } = await createMigratedDatabase();
  t.after(drop);
  // A unique index over rows that are not unique: PostgreSQL leaves what it has made.
  await execute(url, "insert into meta (key, value) values ('a', 'x'), ('b', 'x')");
  const make = "create unique index concurrently twice on meta (value)";
  await assert.rejects(execute(url, make), /could not create/);
  await migratePostgres(url);
  assert.deepEqual((await inspectPostgres(url)).invalidIndexes, ["index twice"]);

  await execute(
    url,
    "update pg_index set indisvalid = false where indexrelid = 'pending_by_due'::regclass",
  );
  const repair = "index pending_by_due (it is invalid: reindex index pending_by_due)";
  await assert.rejects(migratePostgres(url), (error) => String(error).includes(`lacks ${repair}`));
  const inspection = await inspectPostgres(url);
  assert.deepEqual(inspection.missing, [repair]);
  assert.deepEqual(inspection.invalidIndexes, ["index twice"]);
  await execute(url, "reindex index pending_by_due");
  await migratePostgres(url);
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

/** Indexes come last in a dump, so a restore that is cut short lacks some, and says that it has the schema of today. */
const CUT_SHORT = "drop index pending_by_due";
const LACKS_INDEX = /has schema \d+, but lacks index pending_by_due: .* a restore was cut short/;

test(
  "a database of today that lacks a part is refused, on SQLite",
  inFolder((folder) => {
    const db = new Connection(join(folder, "db"), Date.now, () => performance.now());
    migrateSqlite(db);
    db.exec(CUT_SHORT);
    assert.throws(() => migrateSqlite(db), refused(LACKS_INDEX));
    db.close();
  }),
);

test("a database of today that lacks a part is refused, on PostgreSQL", async () => {
  const database = await createTestDatabase();
  try {
    await migratePostgres(database.url);
    await execute(database.url, CUT_SHORT);
    await assert.rejects(migratePostgres(database.url), refused(LACKS_INDEX));
  } finally {
    await database.drop();
  }
});
