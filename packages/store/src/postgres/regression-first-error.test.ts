import assert from "node:assert/strict";
import { test } from "node:test";
import { isMarkethookError } from "@markethook/protocol";
import { createTestDatabase } from "../testing/postgres-server.ts";
import { createHotPool, inTransaction } from "./connection.ts";

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
