/** Of a database without some table, the doctor said that it cannot be reached, or read, and a start that it lacks the table. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { inspectPostgres } from "./postgres/inspect.ts";
import { migrate as migratePostgres } from "./postgres/migrate.ts";
import { DATABASE_FILE } from "./sqlite/folder-lock.ts";
import { inspectSqlite } from "./sqlite/inspect.ts";
import { upgradeSqlite } from "./sqlite/migrate.ts";
import { createMigratedDatabase, execute } from "./testing/postgres-server.ts";
import { inFolder } from "./testing/temporary-folder.ts";

const DAMAGE = ["meta", "webhooks", "instances"].map((name) => `drop table ${name}`).join("; ");
const NUMBER = "the number of its schema";
const CUT_SHORT = { code: "schema_unknown", message: /a restore was cut short/ };
const LACKS = ["table instances", "table meta", "table webhooks"];

test(
  "an inspection tells which tables a database lacks, on SQLite",
  inFolder(async (folder) => {
    await upgradeSqlite(folder);
    const db = new DatabaseSync(join(folder, DATABASE_FILE));
    db.exec(DAMAGE);
    db.close();
    assert.deepEqual((await inspectSqlite(folder))?.missing.slice(0, 3), LACKS);
  }),
);

test("an inspection tells which tables a database lacks, on PostgreSQL", async (t) => {
  const { url, drop } = await createMigratedDatabase();
  t.after(drop);
  await execute(url, DAMAGE);
  assert.deepEqual((await inspectPostgres(url)).missing.slice(0, 3), LACKS);
});

/** A restore stores rows in the order of their tables' names, and `.dump` of SQLite leaves the number out. */
test("tables without the number of their schema are refused as a restore that was cut short, on PostgreSQL", async (t) => {
  const { url, drop } = await createMigratedDatabase();
  t.after(drop);
  for (const cut of ["delete from schema_version", "drop table schema_version"]) {
    await execute(url, cut);
    await assert.rejects(migratePostgres(url), CUT_SHORT);
    assert.deepEqual((await inspectPostgres(url)).missing, [NUMBER]);
  }
});

test(
  "tables without the number of their schema are refused as a restore that was cut short, on SQLite",
  inFolder(async (folder) => {
    await upgradeSqlite(folder);
    const db = new DatabaseSync(join(folder, DATABASE_FILE));
    db.exec("pragma user_version = 0");
    db.close();
    await assert.rejects(upgradeSqlite(folder), CUT_SHORT);
    assert.deepEqual((await inspectSqlite(folder))?.missing, [NUMBER]);
  }),
);
