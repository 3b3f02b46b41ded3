import assert from "node:assert/strict";
import { test } from "node:test";
import { Kysely, PostgresDialect, sql } from "kysely";
import type { Pool, PoolClient } from "pg";
import { createTestDatabase, execute } from "../testing/postgres-server.ts";
import {
  createHeartPool,
  createHotPool,
  createManagementPool,
  inTransaction,
  mappingErrors,
} from "./connection.ts";

async function read(pool: Pool): Promise<number> {
  const work = async (client: PoolClient): Promise<number> =>
    (await client.query("select * from things where no = $1", [1])).rows.length;
  return await inTransaction(pool, work);
}

async function readByKysely(pool: Pool): Promise<number> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: mappingErrors(pool) }) });
  const { rows } = await db
    .transaction()
    .execute(async (trx) => await sql`select * from things where no = ${1}`.execute(trx));
  return rows.length;
}

const KINDS = [
  ["hot", (url: string) => createHotPool(url, 1, false), read],
  ["behind a pooler", (url: string) => createHotPool(url, 1, true), read],
  ["heart", createHeartPool, read],
  ["management", (url: string) => createManagementPool(url, 1, false), readByKysely],
] as const;

for (const [kind, open, work] of KINDS) {
  test(`no session that began with a wrong search path outlives that setting: ${kind}`, async (t) => {
    const { url, drop } = await createTestDatabase();
    const pool = open(url);
    t.after(async () => {
      await pool.end();
      await drop();
    });
    const database = new URL(url).pathname.slice(1);
    await execute(url, "create table things as select 1 as no");
    await execute(url, `alter database ${database} set search_path = elsewhere`);
    await assert.rejects(work(pool), /relation "things" does not exist/);
    await execute(url, `alter database ${database} reset search_path`);
    assert.equal(await work(pool), 1);
  });
}
