import assert from "node:assert/strict";
import { test } from "node:test";
import { createMigratedDatabase, execute, lockTable } from "../testing/postgres-server.ts";
import { TEST_OPTIONS } from "./open-harness.ts";
import { openPostgres } from "./open.ts";

const HEARTS =
  "select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = 'markethook heart'";

test("heartbeats that get no answer leave no session behind on the server", async (t) => {
  const { url, drop } = await createMigratedDatabase();
  t.after(drop);
  const store = await openPostgres({ ...TEST_OPTIONS, url });
  t.after(() => store.close());
  const { instanceNo } = await store.instances.start("waits", "1.0.0");
  const unlock = await lockTable(url, "instances");
  const codes: unknown[] = [];
  for (let beats = 0; beats < 3; beats += 1) {
    await store.instances.renew(instanceNo, false).catch((error: { code?: unknown }) => {
      codes.push(error.code);
    });
  }
  // The session of the last one may end a moment later.
  const [row] = await execute(url, HEARTS);
  await unlock();
  assert.deepEqual(codes, ["store_unavailable", "store_unavailable", "store_unavailable"]);
  assert.ok(Number(row?.["count"]) <= 2, `${String(row?.["count"])} sessions`);
  assert.equal(await store.instances.renew(instanceNo, false), true);
});
