import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { QueuedDelivery } from "../port/deliveries.ts";
import { retried } from "../conformance/settlements.ts";
import { untilSomeWait } from "../testing/postgres-server.ts";
import { testWorld } from "./open-harness.ts";

/** An outcome of another instance is stored, and not committed before a failure of the webhook waits for it. */
async function failNextTo(
  t: TestContext,
  failuresBefore: number,
  otherOutcome: (webhookNo: number) => string[],
): Promise<Record<string, unknown> | undefined> {
  const w = await testWorld(t);
  const { harness } = w;
  const instanceNo = await w.instanceNo();
  const { id, hooks } = await w.shop();
  const fail = async (delivery: QueuedDelivery): Promise<unknown> =>
    await w.settle(instanceNo, [
      { ...retried(delivery, 60_000), health: { kind: "failed", badRequest: false } },
    ]);
  for (let before = 0; before < failuresBefore; before += 1) {
    await fail(await w.acceptOne(id, instanceNo));
  }
  const delivery = await w.acceptOne(id, instanceNo);
  await harness.tamper("begin");
  for (const statement of otherOutcome(hooks[0]?.no ?? 0)) await harness.tamper(statement);
  const settled = fail(delivery);
  await harness.tamper(untilSomeWait());
  await harness.tamper("commit");
  await settled;
  const [row] = await harness.rows("webhook_health");
  return row;
}

test("a first failure that waited for another instance's outcome counts from what that one stored", async (t) => {
  const health = await failNextTo(t, 0, (no) => [
    `select 1 from webhooks where no = ${no} for no key update`,
    `insert into webhook_health (webhook_no, failing_since, failed_attempts, first_failed_event, several_events)
     values (${no}, 1000, 7, 1, 1)`,
  ]);
  assert.deepEqual([health?.["failed_attempts"], health?.["failing_since"]], [8, 1000]);
});

test("a further failure that waited for another instance's outcome counts from what that one stored", async (t) => {
  const health = await failNextTo(t, 2, (no) => [
    `update webhook_health set failing_since = 1000, failed_attempts = 7 where webhook_no = ${no}`,
  ]);
  assert.deepEqual([health?.["failed_attempts"], health?.["failing_since"]], [8, 1000]);
});

test("a failure after a success that another instance has not committed yet begins a new run", async (t) => {
  const health = await failNextTo(t, 2, (no) => [
    `update webhook_health set failing_since = null, failed_attempts = 0, first_failed_event = null, last_success_at = 5
     where webhook_no = ${no}`,
  ]);
  assert.deepEqual([health?.["failed_attempts"], health?.["last_success_at"]], [1, 5]);
});

test("failures that another instance counts are not lost to a batch that reads the health first", async (t) => {
  const w = await testWorld(t);
  const { harness } = w;
  const instanceNo = await w.instanceNo();
  const [one, other] = [await w.shop(), await w.shop()];
  const fail = async (deliveries: QueuedDelivery[]): Promise<unknown> =>
    await w.settle(
      instanceNo,
      deliveries.map((delivery) => ({
        ...retried(delivery, 60_000),
        health: { kind: "failed", badRequest: false },
      })),
    );
  await fail([await w.acceptOne(one.id, instanceNo)]);
  // The other webhook's first failure cannot merely be counted.
  const batch = [await w.acceptOne(one.id, instanceNo), await w.acceptOne(other.id, instanceNo)];
  const no = one.hooks[0]?.no ?? 0;
  await harness.tamper(
    `begin; update webhook_health set failed_attempts = failed_attempts + 6 where webhook_no = ${no}`,
  );
  const settled = fail(batch);
  await harness.tamper(untilSomeWait());
  await harness.tamper("commit");
  await settled;
  const rows = await harness.rows("webhook_health");
  const counts = new Map(rows.map((row) => [row["webhook_no"], row["failed_attempts"]]));
  assert.deepEqual([counts.get(no), counts.size], [8, 2]);
});
