import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { only } from "../conformance/checks.ts";
import { accepted, budget, event } from "../conformance/reports.ts";
import type { World } from "../conformance/world.ts";
import { until, untilSomeWait, waiting } from "../testing/postgres-server.ts";
import { testWorld } from "./open-harness.ts";

/** Runs a call that has to wait before its last statement, a report behind it, and then lets both go on. */
async function reportDuring(
  t: TestContext,
  call: (w: World, resourceId: string) => Promise<unknown>,
) {
  const w = await testWorld(t);
  const { harness } = w;
  const instanceNo = await w.instanceNo();
  const { id, ownerId } = await w.shop();
  await harness.tamper("begin; select 1 from audit_head for update");
  const called = call(w, id);
  await harness.tamper(untilSomeWait());
  const report = w.store.events.accept([event(id, "purchase", 5)], budget(instanceNo));
  await harness.tamper(until(`exists (select 1 from events) or ${waiting} >= 2`));
  await harness.tamper("commit");
  await called;
  return { w, id, ownerId, report: await report };
}

async function isSeen(w: World, resourceId: string, ownerId: string): Promise<boolean> {
  const page = { beforeSeq: null, limit: 10 };
  return (await w.store.events.list({ ownerId, resourceId }, page)).items.length > 0;
}

test("a sale that is reported while its resource is sold is seen by the owner whose webhooks get it, and by no other", async (t) => {
  const { w, id, ownerId, report } = await reportDuring(t, async ({ store }, id) => {
    await store.resources.put([{ id, ownerId: "heir", title: "T", subtitle: "" }]);
  });
  const result = only(report.results);
  assert.ok(result.kind === "accepted");
  const isOld = result.deliveries > 0;
  assert.deepEqual([await isSeen(w, id, ownerId), await isSeen(w, id, "heir")], [isOld, !isOld]);
});

test("a sale that is reported while its resource is deleted is not seen by the resource's next owner", async (t) => {
  const { w, id, ownerId, report } = await reportDuring(t, async ({ store }, id) => {
    await store.resources.delete(id);
  });
  await w.store.resources.put([{ id, ownerId: "heir", title: "T", subtitle: "" }]);
  assert.deepEqual(
    [await isSeen(w, id, ownerId), await isSeen(w, id, "heir")],
    [accepted(report) === 1, false],
  );
});
