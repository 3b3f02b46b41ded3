import assert from "node:assert/strict";
import { test } from "node:test";
import { budget, event } from "../conformance/reports.ts";
import { delivered } from "../conformance/settlements.ts";
import { endedByADeadlockOnce } from "../testing/deadlock-once.ts";
import { testWorld } from "./open-harness.ts";

test("a rescue that a deadlock ends, with a process storing outcomes of the same leases, is repeated at once", async (t) => {
  const w = await testWorld(t);
  const { harness } = w;
  const { deliveries, events, instances } = w.store;
  const { id } = await w.shop();
  const { instanceNo } = await instances.start("judged dead", "1.0.0");
  await events.accept([event(id, "purchase", w.user())], budget(instanceNo));
  await harness.tamper(endedByADeadlockOnce("delete on leased"));

  const { instanceNos, rescued } = await deliveries.rescue(await instances.list());
  assert.deepEqual({ instanceNos, rescued }, { instanceNos: [instanceNo], rescued: 1 });
  assert.deepEqual(await harness.rows("leased"), []);
});

test("outcomes whose storing a deadlock ends, with an instance that rescues their leases, are stored at once", async (t) => {
  const w = await testWorld(t);
  const { harness } = w;
  const { id } = await w.shop();
  const { instanceNo } = await w.store.instances.start("alive", "1.0.0");
  const delivery = await w.acceptOne(id, instanceNo);
  await harness.tamper(endedByADeadlockOnce("delete on leased"));

  const { refused, failed } = await w.settle(instanceNo, [delivered(delivery)]);
  assert.deepEqual({ refused, failed }, { refused: [], failed: [] });
  assert.equal(await w.state(delivery.seq), "delivered");
});

test("a step of pruning that a deadlock ends, with an erasure of the same events, is repeated at once", async (t) => {
  const w = await testWorld(t);
  const { harness } = w;
  const instanceNo = await w.instanceNo();
  const { id } = await w.shop();
  for (let count = 0; count < 3; count += 1)
    await w.settle(instanceNo, [delivered(await w.acceptOne(id, instanceNo))]);
  await harness.advance(3_600_000);
  await harness.tamper(endedByADeadlockOnce("delete on events"));

  assert.ok((await w.store.maintenance.prune(1000, 1000, 2)) > 0);
  const [ended, events] = [await harness.rows("ended"), await harness.rows("events")];
  assert.deepEqual([ended.length, events.length], [1, 1]);
});
