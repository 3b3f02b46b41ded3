import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Client, type PoolClient } from "pg";
import { createTestDatabase, execute, untilSomeWait } from "../testing/postgres-server.ts";
import {
  createHeartPool,
  createHotPool,
  createManagementPool,
  inTransaction,
  mappingErrors,
} from "./connection.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";

/** No statement of a test takes so long, on any machine. */
const DEFAULTS = {
  default_transaction_isolation: "serializable",
  lock_timeout: "31min",
  statement_timeout: "32min",
  idle_in_transaction_session_timeout: "1h",
  array_nulls: "off",
  transaction_timeout: "33min",
};

const EFFECTIVE = `select current_setting('transaction_isolation') as isolation, current_setting('lock_timeout') as lock,
  '{NULL}'::text[] = array[null]::text[] as nulls, current_setting('statement_timeout') as statement,
  coalesce(current_setting('transaction_timeout', true), '0') as transaction`;

interface Effective {
  isolation: string;
  lock: string;
  nulls: boolean;
  statement: string;
  transaction: string;
}

/** And a session that began before it had them. */
async function databaseWithDefaults(
  t: TestContext,
  defaults: Readonly<Record<string, string>>,
): Promise<{ url: string; session: Client }> {
  const { url, drop } = await createTestDatabase();
  const session = new Client({ connectionString: url });
  await session.connect();
  t.after(async () => {
    await session.end();
    await drop();
  });
  const database = new URL(url).pathname.slice(1);
  // PostgreSQL before 17 does not know all of them.
  const { rows } = await session.query<{ name: string }>("select name from pg_settings");
  for (const [name, value] of Object.entries(defaults))
    if (rows.some((setting) => setting.name === name))
      await session.query(`alter database ${database} set ${name} = '${value}'`);
  return { url, session };
}

test("changes wait for one another, and nulls stay nulls, whatever a database has as its defaults", async (t) => {
  const { url } = await databaseWithDefaults(t, DEFAULTS);
  const inHot = async (pool: ReturnType<typeof createHotPool>): Promise<unknown> => {
    const rows = await inTransaction(
      pool,
      async (client: PoolClient) => (await client.query<Effective>(EFFECTIVE)).rows,
    );
    await pool.end();
    return rows;
  };
  const session = { isolation: "read committed", lock: "0", nulls: true, transaction: "0" };
  const hot = [{ ...session, statement: "11s" }];
  assert.deepEqual(await inHot(createHotPool(url, 1, false)), hot);
  assert.deepEqual(await inHot(createHotPool(url, 1, true)), hot, "behind a pooler");
  assert.deepEqual(await inHot(createHeartPool(url)), hot);

  for (const [pooled, statement] of [
    [false, "30s"],
    // Only what no other session of the pooler gets may be set.
    [true, DEFAULTS.statement_timeout],
  ] as const) {
    const pool = createManagementPool(url, 1, pooled);
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: mappingErrors(pool) }) });
    const { rows } = await db
      .transaction()
      .execute(async (trx) => await sql.raw<Effective>(EFFECTIVE).execute(trx));
    assert.deepEqual(rows, [{ ...session, statement }]);
    await db.destroy();
  }
  const alone = createManagementPool(url, 1, false);
  const { rows } = await alone.query(EFFECTIVE);
  assert.deepEqual(rows, [{ ...session, statement: "30s" }]);
  await alone.end();
});

/** What holds in a transaction of each pool. */
async function commitsOf(url: string): Promise<Set<unknown>> {
  const asked = "select current_setting('synchronous_commit') as commits";
  const found = new Set<unknown>();
  for (const make of [
    () => createHotPool(url, 1, false),
    () => createHotPool(url, 1, true),
    () => createHeartPool(url),
  ]) {
    const pool = make();
    const { rows } = await inTransaction(pool, async (client) => await client.query(asked));
    found.add(rows[0]?.["commits"]);
    await pool.end();
  }
  for (const pooled of [false, true]) {
    const pool = createManagementPool(url, 1, pooled);
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: mappingErrors(pool) }) });
    const work = sql.raw<{ commits: string }>(asked);
    const { rows } = await db.transaction().execute(async (trx) => await work.execute(trx));
    found.add(rows[0]?.commits);
    await db.destroy();
  }
  return found;
}

test("a commit is durable where a database has it otherwise, and who waits for standbys stays its operator's choice", async (t) => {
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  const database = new URL(url).pathname.slice(1);
  for (const [theirs, ours] of [
    ["off", "on"],
    ["local", "local"],
    ["remote_write", "remote_write"],
    ["on", "on"],
    ["remote_apply", "remote_apply"],
  ] as const) {
    await execute(url, `alter database ${database} set synchronous_commit = ${theirs}`);
    assert.deepEqual(await commitsOf(url), new Set([ours]), theirs);
  }
});

test("a migration takes as long as it needs, and a start waits for it, whatever a database has as its defaults", async (t) => {
  const limits = { lock_timeout: "60ms", statement_timeout: "300ms", transaction_timeout: "300ms" };
  const { url, session: holder } = await databaseWithDefaults(t, { ...DEFAULTS, ...limits });
  await holder.query("create table busy ()");
  await holder.query("begin; lock table busy");
  // As one on a large table: it takes longer than both limits.
  const slow = { name: "9999-slow", sql: "select from busy; select pg_sleep(0.4)" };
  const starts = [1, 2].map(async () => await migrate(url, [...MIGRATIONS, slow]));
  await holder.query(untilSomeWait(2));
  await holder.query("commit");
  await Promise.all(starts);
  const { rows } = await holder.query("select max(version) as version from schema_version");
  assert.equal(Number(rows[0]?.version), MIGRATIONS.length + 1);
});
