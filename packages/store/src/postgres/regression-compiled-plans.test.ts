import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestDatabase, execute } from "../testing/postgres-server.ts";
import { createHotPool, createManagementPool, inTransaction } from "./connection.ts";

const JIT = "select current_setting('jit') as jit";

test("no statement is compiled by PostgreSQL, which takes far longer than running it", async (t) => {
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  // As packages of distributions deliver it; the server of these tests was built without it.
  const { pathname } = new URL(url);
  await execute(url, `alter database ${pathname.slice(1)} set jit = on`);
  for (const pooled of [false, true]) {
    const hot = createHotPool(url, 1, pooled);
    const { rows } = await inTransaction(hot, async (client) => await client.query(JIT));
    assert.deepEqual(rows, [{ jit: "off" }]);
    const after = await hot.query(JIT);
    const kept = pooled ? "on" : "off";
    assert.deepEqual(after.rows, [{ jit: kept }], "other sessions of a pooler keep their setting");
    await hot.end();
  }
  const management = createManagementPool(url, 1, false);
  assert.deepEqual((await management.query(JIT)).rows, [{ jit: "off" }]);
  await management.end();
});
