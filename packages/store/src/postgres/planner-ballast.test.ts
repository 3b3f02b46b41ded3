import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestDatabase, execute } from "../testing/postgres-server.ts";
import { TEST_OPTIONS } from "./open-harness.ts";
import { openPostgres } from "./open.ts";

const COUNTS =
  "select (select count(*)::int from leased) as leased, (select count(*)::int from pending) as pending";

test("tables that were emptied have their ballast again from the next start on, and nothing finds it", async (t) => {
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  const open = async () => await openPostgres({ ...TEST_OPTIONS, url });
  await (await open()).close();
  await execute(url, "truncate leased, pending");
  const store = await open();
  const [laid] = await execute(url, COUNTS);
  assert.deepEqual(laid, { leased: 5000, pending: 5000 });
  const [{ expected } = {}] = await execute(
    url,
    "select min(reltuples) as expected from pg_class where relname in ('leased', 'pending')",
  );
  assert.equal(expected, 5000, "the planner knows of it at once");
  const { leased, pending } = await store.maintenance.statistics();
  assert.deepEqual({ leased, pending }, { leased: 0, pending: 0 });
  const { instanceNo } = await store.instances.start("one", "1");
  // Sweeps come once in so many calls.
  for (let calls = 0; calls < 70; calls += 1) {
    assert.equal((await store.deliveries.rescue([])).rescued, 0);
  }
  assert.equal(await store.deliveries.releaseForgotten(instanceNo, []), 0);
  const everything = { cursor: 0, webhooks: 100, perWebhook: 100 };
  const claimed = await store.deliveries.claim({
    instanceNo,
    ...everything,
    hints: [],
    full: [],
  });
  assert.deepEqual(claimed.deliveries, []);
  assert.equal(await store.instances.end(instanceNo), 0);
  await store.close();
  assert.deepEqual(await execute(url, COUNTS), [laid]);
});
