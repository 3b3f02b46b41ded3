import assert from "node:assert/strict";
import { test } from "node:test";
import { isMarkethookError } from "@markethook/protocol";
import { Kysely, PostgresDialect, sql } from "kysely";
import { createTestDatabase, execute } from "../testing/postgres-server.ts";
import { createHotPool, createManagementPool, inTransaction, mappingErrors } from "./connection.ts";

test("of statements that were sent together the first one's error is told, in whatever order they are handled", async (t) => {
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  for (const pooled of [false, true]) {
    const pool = createHotPool(url, 1, pooled);
    t.after(() => pool.end());
    const failing = inTransaction(pool, async (client) => {
      const later = async <T>(work: Promise<T>): Promise<T> => {
        return await work.then(async (value) => await Promise.resolve(value));
      };
      const full = later(client.query("do $$ begin raise disk_full; end $$"));
      await Promise.all([later(full), client.query("select 1")]);
    });
    await assert.rejects(failing, (error) => isMarkethookError(error, "storage_full"));
    const next = inTransaction(pool, async (client) => await client.query("select no_such"));
    await assert.rejects(next, /no_such/);
  }
});

test("a transaction whose rollback fails tells why it was rolled back, and its connection is not used again", async (t) => {
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  const pool = createManagementPool(url, 1, false);
  const db = new Kysely({ dialect: new PostgresDialect({ pool: mappingErrors(pool) }) });
  t.after(() => db.destroy());
  const failed = db.transaction().execute(async (trx) => {
    await sql`do $$ begin raise disk_full; end $$`.execute(trx).catch(async (error: unknown) => {
      // As a server does that is left for another one.
      await execute(
        url,
        "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()",
      );
      throw error;
    });
  });
  await assert.rejects(failed, (error) => isMarkethookError(error, "storage_full"));
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db);
  assert.equal(rows[0]?.one, 1);
});
