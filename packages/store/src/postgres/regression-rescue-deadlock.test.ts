import assert from "node:assert/strict";
import { test } from "node:test";
import { budget, event, World } from "../conformance/world.ts";
import { openPostgresHarness } from "./open-harness.ts";

const WAITING =
  "pg_locks l join pg_stat_activity a using (pid) where a.datname = current_database() and not l.granted";

test("a rescue that meets a process storing outcomes of the same leases in another order goes on after it", async (t) => {
  const harness = await openPostgresHarness();
  t.after(async () => await harness.close());
  const w = new World(harness);
  const { deliveries, events, instances } = w.store;
  const { id } = await w.shop();
  const { instanceNo } = await instances.start("judged dead", "1.0.0");
  const items = [event(id, "purchase", w.user()), event(id, "purchase", w.user())];
  const { preLeased } = await events.accept(items, budget(instanceNo));
  const [first, second] = preLeased.toSorted((a, b) => a.seq - b.seq);
  assert.ok(first && second);
  // The rescue locks it before the others.
  await deliveries.markStarted(instanceNo, [first]);

  await harness.tamper("begin");
  await harness.tamper(`delete from leased where seq = ${second.seq}`);
  const rescuing = deliveries.rescue(await instances.list());
  // The harness reads whatever it is given.
  while ((await harness.rows(WAITING as "leased")).length === 0);
  await harness.tamper(`delete from leased where seq = ${first.seq}`);
  await harness.tamper("commit");
  assert.deepEqual((await rescuing).instanceNos, [instanceNo]);
});
