import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestDatabase } from "../testing/postgres-server.ts";
import { createHotPool, inTransaction } from "./connection.ts";

const TIMEOUT = "select current_setting('statement_timeout') as ends";

test("behind a pooler the server ends a statement that we gave up, and keeps that setting for no other session", async (t) => {
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  const hot = createHotPool(url, 1, true);
  const { rows } = await inTransaction(hot, async (client) => await client.query(TIMEOUT));
  assert.deepEqual(rows, [{ ends: "11s" }]);
  assert.deepEqual((await hot.query(TIMEOUT)).rows, [{ ends: "0" }]);
  await hot.end();
});
