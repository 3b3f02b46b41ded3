import assert from "node:assert/strict";
import { test } from "node:test";
import { Pool } from "pg";
import { prune } from "./prune.ts";

test("pruning says that the database is away as everything else does, for the log's one line", async (t) => {
  const pool = new Pool({ connectionString: "postgres://u@127.0.0.1:1/d" });
  t.after(() => pool.end());
  await assert.rejects(prune(pool, { ended: 0, events: 0, notices: 0 }, 1000, 1000, 10), {
    name: "MarkethookError",
    code: "store_unavailable",
  });
});
