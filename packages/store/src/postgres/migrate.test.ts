import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { Client } from "pg";
import { isMarkethookError } from "@markethook/protocol";
import { withCode } from "../conformance/checks.ts";
import { createTestDatabase, execute, untilSomeWait } from "../testing/postgres-server.ts";
import { startScript } from "../testing/script-process.ts";
import { migrate, MIGRATION_LOCK } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { TEST_OPTIONS } from "./open-harness.ts";
import { openPostgres } from "./open.ts";

const HALF = "create table half (a integer)";
const BROKEN = { name: "0002-broken", sql: `${HALF}; insert into nowhere values (1)` };
const FIXED = { name: "0002-broken", sql: HALF };
const known = MIGRATIONS.length;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
before(async () => {
  database = await createTestDatabase();
});
after(async () => await database.drop());
beforeEach(async () => {
  await execute(database.url, "drop schema public cascade; create schema public");
});

async function version(): Promise<unknown> {
  const rows = await execute(database.url, "select max(version) as version from schema_version");
  return rows[0]?.["version"];
}

async function assertUntouched(): Promise<void> {
  assert.equal(await version(), known);
  const rows = await execute(database.url, "select to_regclass('half') as half");
  assert.equal(rows[0]?.["half"], null);
}

test("a migration that fails half-way leaves version and tables as they were, and runs at the next start", async () => {
  await assert.rejects(
    migrate(database.url, [...MIGRATIONS, BROKEN]),
    withCode("migration_failed"),
  );
  await assertUntouched();
  await migrate(database.url, [...MIGRATIONS, FIXED]);
  await migrate(database.url, [...MIGRATIONS, FIXED]);
  assert.equal(await version(), known + 1);
});

test("nothing is changed below instances of an older version; a start waits for those that are stopping", async () => {
  const store = await openPostgres({ ...TEST_OPTIONS, url: database.url });
  const { instanceNo } = await store.instances.start("old-1", "0.9.0");
  const beat = "update instances set renewed_at = mh_now()";
  const beats: Promise<unknown>[] = [];
  const renewing = setInterval(() => beats.push(execute(database.url, beat)), 1000);
  try {
    await assert.rejects(migrate(database.url, [...MIGRATIONS, FIXED], 8000, 300), (error) => {
      assert.ok(isMarkethookError(error, "older_instances_running"));
      const schemas = `These know schemas up to ${known}, and this version needs ${known + 1}`;
      assert.ok(error.message.includes(`${schemas}: old-1 (0.9.0).`), error.message);
      return true;
    });
    await assertUntouched();
    await migrate(database.url);
    const next = migrate(database.url, [...MIGRATIONS, FIXED]);
    await store.instances.end(instanceNo);
    await next;
  } finally {
    clearInterval(renewing);
    // The next test drops the table.
    await Promise.all(beats);
    await store.close();
  }
  assert.equal(await version(), known + 1);
});

test("an instance with a longer lease, which renews it less often, is running all the same", async () => {
  await migrate(database.url);
  await execute(
    database.url,
    `insert into instances (instance_no, name, version, started_at, renewed_at)
     select 1, 'old-1', '0.9.0', before, before from (select mh_now() - 15000) as now (before)`,
  );
  await assert.rejects(
    migrate(database.url, [...MIGRATIONS, FIXED], 60_000, 0),
    withCode("older_instances_running"),
  );
  await assertUntouched();
});

test("an instance that was killed before the clock was set back does not keep a newer version from starting", async () => {
  await migrate(database.url);
  await execute(
    database.url,
    `insert into instances (instance_no, name, version, started_at, renewed_at)
     select 1, 'killed', '0.1.0', ahead, ahead from (select mh_now() + 3600000) as now (ahead)`,
  );
  const list = [...MIGRATIONS, FIXED];
  await migrate(database.url, list, 8000, 0);
  assert.equal(await version(), list.length);
});

test("an instance that has checked the schema and not begun yet is refused when a newer version has changed it meanwhile", async () => {
  const store = await openPostgres({ ...TEST_OPTIONS, url: database.url });
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  try {
    // What a migration of a newer version does, in the middle of it.
    await holder.query("begin");
    await holder.query("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    const starting = store.instances.start("old-1", "0.9.0");
    const refused = assert.rejects(starting, withCode("schema_newer"));
    await holder.query(untilSomeWait());
    await holder.query("insert into schema_version (version, name) values ($1, 'newer')", [
      known + 1,
    ]);
    await holder.query("commit");
    await refused;
    assert.deepEqual(await store.instances.list(), []);
  } finally {
    await holder.end();
    await store.close();
  }
});

test("a process killed in the middle of a migration leaves everything as it was, and the next start finishes", async () => {
  const lock = 4711;
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query("select pg_advisory_lock($1)", [lock]);
  const child = startScript(
    new URL("../testing/postgres-migrate-behind-lock.ts", import.meta.url),
    database.url,
    String(lock),
  );
  for (let waiting = 0; waiting === 0;) {
    const { rows } = await holder.query(
      "select count(*)::int as n from pg_locks where locktype = 'advisory' and objid = $1 and not granted",
      [lock],
    );
    waiting = Number(rows[0]?.["n"]);
  }
  await child.kill();
  // The server only finds out that its client is gone when the statement ends.
  await holder.query("select pg_advisory_unlock($1)", [lock]);
  await migrate(database.url);
  await assertUntouched();
  await migrate(database.url, [...MIGRATIONS, FIXED]);
  assert.equal(await version(), known + 1);
  await holder.end();
});

test("a connection that breaks in the middle of a migration is an error, not the end of the process", async () => {
  const sql = `${HALF}; select pg_terminate_backend(pg_backend_pid())`;
  await assert.rejects(
    migrate(database.url, [...MIGRATIONS, { name: "0002-cut", sql }]),
    withCode("store_unavailable"),
  );
  await assertUntouched();
});

test("a database that a newer version wrote is refused and left alone", async () => {
  await migrate(database.url, [...MIGRATIONS, FIXED]);
  await assert.rejects(
    openPostgres({ ...TEST_OPTIONS, url: database.url }),
    withCode("schema_newer"),
  );
  assert.equal(await version(), known + 1);
});

test("instances that start for the first time at once all succeed and share one key", async () => {
  const options = { ...TEST_OPTIONS, url: database.url };
  const stores = await Promise.all([1, 2, 3, 4].map(async () => await openPostgres(options)));
  assert.equal(await version(), known);
  const resource = { title: "T", subtitle: "", ownerId: "o" };
  const item = {
    resourceId: "r",
    resource,
    name: "product.user.firstDownload",
    time: 1,
    tag: "aaaaaaaaaa",
    userId: 1,
  } as const;
  const outcomes = await Promise.all(
    stores.map(async (store) => await store.events.accept([item], null)),
  );
  const kinds = outcomes.map(({ results }) => results[0]?.kind);
  assert.equal(kinds.filter((kind) => kind === "accepted").length, 1);
  assert.equal(kinds.filter((kind) => kind === "duplicate").length, 3);
  await Promise.all(stores.map(async (store) => await store.close()));
});

test("another master key than the one that encrypted the database is refused", async () => {
  await (await openPostgres({ ...TEST_OPTIONS, url: database.url })).close();
  await assert.rejects(
    openPostgres({ ...TEST_OPTIONS, url: database.url, masterKeys: [new Uint8Array(32).fill(9)] }),
    withCode("master_key_wrong"),
  );
});

test("a server that is not there is an error that says so", async () => {
  await assert.rejects(
    openPostgres({ ...TEST_OPTIONS, url: "postgres://postgres@127.0.0.1:1/none" }),
    withCode("store_unavailable"),
  );
});

test("a process that stands still in the middle of a migration holds nobody up", async () => {
  const limit = {
    name: "0001-limit",
    sql: "create table limits as select current_setting('idle_in_transaction_session_timeout') as idle",
  };
  await migrate(database.url, [limit]);
  assert.deepEqual(await execute(database.url, "select idle from limits"), [{ idle: "4s" }]);
});
