import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { withCode } from "../conformance/checks.ts";
import { startScript } from "../testing/script-process.ts";
import { inFolder } from "../testing/temporary-folder.ts";
import { Connection } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { TEST_OPTIONS } from "./open-harness.ts";
import { openSqlite } from "./open.ts";

const HALF = "create table half (a integer)";
const BROKEN = { name: "0002-broken", sql: `${HALF}; insert into nowhere values (1)` };
const FIXED = { name: "0002-broken", sql: HALF };
const known = MIGRATIONS.length;

function connect(folder: string): Connection {
  return new Connection(join(folder, "markethook.sqlite"), Date.now, () => performance.now());
}

function version(db: Connection): unknown {
  return db.get("pragma user_version")?.["user_version"];
}

function assertUntouched(db: Connection): void {
  assert.equal(version(db), known);
  assert.equal(db.get("select 1 from sqlite_master where name = 'half'"), undefined);
}

test(
  "a migration that fails half-way leaves version and tables as they were, and runs at the next start",
  inFolder((folder) => {
    const db = connect(folder);
    assert.throws(() => migrate(db, [...MIGRATIONS, BROKEN]), withCode("migration_failed"));
    assertUntouched(db);
    migrate(db, [...MIGRATIONS, FIXED]);
    migrate(db, [...MIGRATIONS, FIXED]);
    assert.equal(version(db), known + 1);
    db.close();
  }),
);

test(
  "a process killed in the middle of a migration leaves everything as it was, and the next start finishes",
  inFolder(async (folder) => {
    const child = startScript(
      new URL("../testing/sqlite-migrate-forever.ts", import.meta.url),
      folder,
    );
    await child.line("half-way");
    await child.kill();
    const db = connect(folder);
    assertUntouched(db);
    migrate(db, [...MIGRATIONS, FIXED]);
    assert.equal(version(db), known + 1);
    db.close();
  }),
);

test(
  "a database that a newer version wrote is refused and left alone",
  inFolder(async (folder) => {
    const db = connect(folder);
    migrate(db, [...MIGRATIONS, FIXED]);
    db.close();
    await assert.rejects(openSqlite({ ...TEST_OPTIONS, folder }), withCode("schema_newer"));
    const after = connect(folder);
    assert.equal(version(after), known + 1);
    after.close();
  }),
);

test(
  "a migration on a full disk is a full disk, undone, and runs when there is room",
  inFolder((folder) => {
    const db = connect(folder);
    migrate(db);
    const pages = Number(db.get("pragma page_count")?.["page_count"]);
    db.exec(`pragma max_page_count = ${pages}`);
    const sql = `${HALF}; insert into half values (zeroblob(100000))`;
    const large = [...MIGRATIONS, { name: "0002-large", sql }];
    assert.throws(() => migrate(db, large), withCode("storage_full"));
    assertUntouched(db);
    db.exec("pragma max_page_count = 1000000");
    migrate(db, large);
    assert.equal(version(db), known + 1);
    db.close();
  }),
);
