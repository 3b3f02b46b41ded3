import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pool, PoolClient } from "pg";
import { createMigratedDatabase, execute } from "../testing/postgres-server.ts";
import { createHotPool, createManagementPool, inTransaction, mappingErrors } from "./connection.ts";

/** As one that is cancelled, or that a pooler answers for itself. */
const CANCELLED = "do $$ begin raise exception 'cancelled' using errcode = '57014'; end $$";

/** The first begin is sent as `instead`. */
function failFirstBegin(pool: Pool, instead: string): void {
  let begins = 0;
  pool.on("connect", (client: PoolClient) => {
    const query = client.query.bind(client) as (...of: unknown[]) => Promise<unknown>;
    client.query = ((text: unknown, ...rest: unknown[]) => {
      if (!String(text).startsWith("begin")) return query(text, ...rest);
      begins += 1;
      return query(begins === 1 ? instead : text, ...rest);
    }) as typeof client.query; // The one of its overloads that is used.
  });
}

test("if the begin of a transaction fails, nothing of the transaction is stored", async (t) => {
  const { url, drop } = await createMigratedDatabase();
  t.after(drop);
  const pool = createHotPool(url, 1, false);
  t.after(() => pool.end());
  failFirstBegin(pool, CANCELLED);
  const insertTwo = async (client: PoolClient): Promise<void> => {
    for (const key of ["one", "two"])
      await client.query(`insert into meta (key, value) values ('${key}', '')`);
  };
  const afterReading = async (client: PoolClient, last: Promise<unknown>[]): Promise<void> => {
    await client.query("select 1");
    await insertTwo(client);
    last.push(client.query("insert into meta (key, value) values ('last', '')"));
  };
  await assert.rejects(inTransaction(pool, afterReading), { code: "store_unavailable" });
  await inTransaction(pool, async (client) => await client.query("select 1"));
  const count = "select count(*)::int as count from meta where key in ('one', 'two', 'last')";
  assert.deepEqual(await execute(url, count), [{ count: 0 }]);

  await inTransaction(pool, afterReading);
  assert.deepEqual(await execute(url, count), [{ count: 3 }]);
});

test("a begin that fails in part leaves no connection on which each later one fails", async (t) => {
  const { url, drop } = await createMigratedDatabase();
  t.after(drop);
  const pool = createManagementPool(url, 1, false);
  t.after(() => pool.end());
  failFirstBegin(pool, `begin; ${CANCELLED}`);
  const mapped = mappingErrors(pool);
  const first = await mapped.connect();
  await assert.rejects(first.query("begin", []), { code: "store_unavailable" });
  first.release();
  const second = await mapped.connect();
  try {
    await second.query("begin", []);
    await second.query("commit", []);
  } finally {
    second.release();
  }
});
