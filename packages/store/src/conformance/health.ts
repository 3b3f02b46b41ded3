import assert from "node:assert/strict";
import { test } from "node:test";
import type { HealthSignal, QueuedDelivery } from "../port/deliveries.ts";
import { failing } from "./failing-webhook.ts";
import { only } from "./checks.ts";
import { budget, event } from "./reports.ts";
import {
  DAY,
  DEAD,
  delivered,
  FAILED,
  failed,
  RELEASE,
  retried,
  RULE,
  settled,
} from "./settlements.ts";
import type { World } from "./world.ts";

const BAD_REQUEST: HealthSignal = { kind: "failed", badRequest: true };

export function testHealth(w: World): void {
  test("a webhook is disabled after five days and ten failures of two events, with a warning half-way", async () => {
    const f = await failing(w);
    await f.fail(f.first);
    await w.harness.advance(2 * DAY);
    await f.fail(f.first, 3);
    assert.deepEqual(await f.kinds(), []);
    await w.harness.advance(0.6 * DAY);
    await f.fail(f.first, 3);
    assert.deepEqual(await f.kinds(), ["webhook_failing"], "once");
    await w.harness.advance(2.5 * DAY);
    const told = await f.fail(f.first, 5);
    assert.deepEqual([told, (await f.webhook()).state], [[], "active"], "one event only, so far");
    assert.deepEqual(await f.fail(f.second), [f.hook.no]);
    const hook = await f.webhook();
    assert.deepEqual([hook.state, hook.disabledReason], ["disabled", "failing"]);
    assert.deepEqual(await f.kinds(), ["webhook_failing", "webhook_disabled"]);
  });

  test("a batch about several webhooks changes each of them as if it came alone", async () => {
    const { id, ownerId, hooks } = await w.shop(5);
    const instanceNo = await w.instanceNo();
    const preLeased = async (): Promise<QueuedDelivery[]> => {
      const accepted = await w.acceptPurchase(id, instanceNo);
      return accepted.preLeased.toSorted((a, b) => a.webhookNo - b.webhookNo);
    };
    const fails = (one: QueuedDelivery) => failed(one, DAY);
    const [first, second] = [await preLeased(), await preLeased()];
    await w.settle(instanceNo, first.map(fails));
    await w.harness.advance(3 * DAY);
    await w.settle(instanceNo, (await w.claimAll(instanceNo)).map(fails));
    const [failing, gone, recovering, deleted, silent] = hooks.map(({ no }) => no);
    await w.store.webhooks.delete(hooks[3]?.id ?? "", null);
    const third = await preLeased();
    const of = (from: readonly QueuedDelivery[], no: number | undefined): QueuedDelivery =>
      only(from.filter((one) => one.webhookNo === no));
    const { changedWebhooks, refused } = await w.settle(instanceNo, [
      { ...delivered(of(second, recovering)), health: { kind: "ok" } },
      fails(of(second, failing)),
      { ...retried(of(second, gone), 0), health: await w.gone(gone ?? 0) },
      fails(of(second, deleted)),
      fails(of(third, failing)),
      delivered(of(second, silent)),
    ]);
    assert.deepEqual([changedWebhooks, refused], [[gone], []]);
    const health = new Map(
      (await w.harness.rows("webhook_health")).map((row) => [Number(row["webhook_no"]), row]),
    );
    const attempts = (no: number | undefined) => Number(health.get(no ?? 0)?.["failed_attempts"]);
    assert.deepEqual([failing, gone, recovering, silent].map(attempts), [4, 2, 0, 2]);
    assert.equal(Number(health.get(failing ?? 0)?.["several_events"]), 1);
    const states = await Promise.all(
      hooks
        .filter(({ no }) => no !== deleted)
        .map(async (hook) => (await w.store.webhooks.get(hook.id, null)).disabledReason),
    );
    assert.deepEqual(states, [null, "gone", null, null]);
    const pulled = (await w.harness.rows("pulls")).map((row) => Number(row["webhook_no"]));
    assert.deepEqual(pulled, [recovering]);
    const told = (await w.notices(ownerId)).map(({ kind, webhookId }) => [
      kind,
      hooks.find((hook) => hook.id === webhookId)?.no,
    ]);
    assert.deepEqual(told, [
      ...hooks.map(({ no }) => ["webhook_failing", no]),
      ["webhook_disabled", gone],
      ["webhook_recovered", recovering],
    ]);
    await w.store.instances.end(instanceNo);
  });

  test("few failures, or a short time, do not disable", async () => {
    const f = await failing(w);
    await f.fail(f.first, 8);
    await f.fail(f.second, 8);
    assert.equal((await f.webhook()).state, "active", "often, but not for long");
    const other = await failing(w);
    await other.fail(other.first, 4);
    await w.harness.advance(6 * DAY);
    await other.fail(other.second, 5);
    assert.equal((await other.webhook()).state, "active", "long, but not often");
    await other.fail(other.second);
    assert.equal((await other.webhook()).state, "disabled");
  });

  test("a success ends the run of failures and is told when a warning went out", async () => {
    const f = await failing(w);
    await f.fail(f.first, 6);
    await w.harness.advance(3 * DAY);
    await f.fail(f.second, 6);
    const { id, failingSince } = await f.webhook();
    assert.notEqual(failingSince, null);
    const listed = async () => (await w.store.webhooks.listFailing(20)).map((one) => one.id);
    const other = await failing(w);
    await other.fail(other.first);
    assert.deepEqual(await listed(), [(await other.webhook()).id, id], "the newest first");
    assert.equal((await w.store.webhooks.listFailing(1)).length, 1);
    await w.store.webhooks.pause((await other.webhook()).id, null);
    await f.ok();
    assert.deepEqual(await listed(), []);
    const hook = await f.webhook();
    assert.deepEqual([hook.failingSince, hook.state], [null, "active"]);
    assert.ok(hook.lastSuccessAt !== null && hook.lastFailureAt !== null);
    await w.harness.advance(3 * DAY);
    await f.fail(f.first, 12);
    await f.fail(f.second);
    assert.equal((await f.webhook()).state, "active", "the five days began again");
    assert.deepEqual(await f.kinds(), ["webhook_failing", "webhook_recovered"]);
  });

  test("a receiver that answers 400 to everything fails like any other: warned of, then disabled", async () => {
    const f = await failing(w);
    await f.fail(f.first, 5, BAD_REQUEST);
    assert.notEqual((await f.webhook()).failingSince, null);
    await w.harness.advance(3 * DAY);
    await f.fail(f.first, 5, BAD_REQUEST);
    assert.deepEqual(await f.kinds(), ["webhook_failing"]);
    await w.harness.advance(3 * DAY);
    assert.deepEqual(await f.fail(f.second, 1, BAD_REQUEST), [f.hook.no]);
    assert.deepEqual(await f.kinds(), ["webhook_failing", "webhook_disabled"]);
  });

  test("a webhook that accepted another event name within retention is warned of for 400s, not disabled", async () => {
    const f = await failing(w);
    await f.accepts("product.update");
    await f.fail(f.first, 10, BAD_REQUEST);
    for (const days of [3, 3, 20]) {
      await w.harness.advance(days * DAY);
      await f.accepts(null);
      await f.fail(f.second, 5, BAD_REQUEST);
    }
    assert.equal((await f.webhook()).state, "active");
    assert.deepEqual(await f.kinds(), ["webhook_failing"]);
    await w.harness.advance(5 * DAY);
    await f.fail(f.second, 1, BAD_REQUEST);
    assert.equal((await f.webhook()).state, "disabled", "that is longer ago now");
  });

  test("the same event name accepted before does not spare a webhook", async () => {
    const f = await failing(w);
    await f.accepts("product.user.purchase");
    await f.fail(f.first, 10, BAD_REQUEST);
    await w.harness.advance(6 * DAY);
    await f.fail(f.second, 1, BAD_REQUEST);
    assert.equal((await f.webhook()).state, "disabled");
  });

  for (const reason of ["gone", "receiver_request"] as const) {
    test(`${reason} disables at once, is never probed and goes on when its owner resumes`, async () => {
      const f = await failing(w);
      assert.deepEqual(await f.fail(f.first, 1, await w.gone(f.hook.no, reason)), [f.hook.no]);
      const hook = await f.webhook();
      assert.deepEqual([hook.state, hook.disabledReason], ["disabled", reason]);
      await w.harness.advance(30 * DAY);
      const instanceNo = await w.instanceNo();
      assert.deepEqual(await w.probes(instanceNo, 1000), []);
      assert.deepEqual(await w.claimAll(instanceNo), []);
      assert.equal((await w.store.webhooks.resume(f.hook.id, null, "send")).state, "active");
      assert.ok((await w.claimAll(instanceNo)).length > 0);
    });
  }

  test("a disabled webhook cannot be paused, and a pause does not hide a final answer", async () => {
    const f = await failing(w);
    await w.store.webhooks.pause(f.hook.id, null);
    await f.fail(f.first, 1, await w.gone(f.hook.no), true);
    assert.equal((await f.webhook()).disabledReason, "gone");
    await assert.rejects(w.store.webhooks.pause(f.hook.id, null));
  });

  test("a webhook disabled for failing is probed with the oldest held delivery, one per beat", async () => {
    const f = await failing(w);
    await f.disable();
    const instanceNo = await w.instanceNo();
    assert.deepEqual(await w.claimAll(instanceNo), [], "nothing but probes goes out");
    assert.deepEqual(await w.probes(instanceNo), [], "not due yet");
    await w.harness.advance(RULE.probeAfterMs + 1);
    const probe = only(await w.probes(instanceNo));
    assert.deepEqual([probe.probe, probe.webhookNo], [true, f.hook.no]);
    assert.deepEqual(await w.probes(instanceNo), [], "the next beat");
    await w.settle(instanceNo, [failed(probe, 3_600_000)]);
    assert.equal((await f.webhook()).state, "disabled");
    await w.harness.advance(60_001);
    const again = only(await w.probes(instanceNo));
    const outcome = await w.settle(instanceNo, [{ ...delivered(again), health: { kind: "ok" } }]);
    assert.deepEqual(outcome.changedWebhooks, [f.hook.no]);
    assert.equal((await f.webhook()).state, "active");
    assert.equal((await f.kinds()).at(-1), "webhook_recovered");
    await w.harness.advance(3_600_000);
    assert.ok((await w.claimAll(instanceNo)).length > 0);
    assert.deepEqual(await w.probes(instanceNo, 1000), []);
  });

  test("a webhook that a probe has enabled again is read as one that comes back after long", async () => {
    const f = await failing(w);
    await f.disable();
    await w.harness.advance(RULE.probeAfterMs + 1);
    const instanceNo = await w.instanceNo();
    const probe = only(await w.probes(instanceNo));
    await w.settle(instanceNo, [{ ...delivered(probe), health: { kind: "ok" } }]);
    const read = async () => only(await w.store.webhooks.forSending([f.hook.no])).recovery;
    const recovery = await read();
    assert.equal(recovery?.failingMs, null);
    assert.ok((recovery.resumedMs ?? Infinity) < 60_000);
    assert.ok(recovery.awayMs > 5 * DAY);
    const report = w.purchases(f.resourceId);
    const { webhooks } = await w.store.events.accept(report, budget(instanceNo));
    assert.deepEqual(webhooks, [], "it is not read as a plain one");
    await w.harness.advance(600_000);
    assert.equal(await read(), undefined);
  });

  test("a webhook is probed at once, and no later than that, after the clock was set back", async () => {
    const f = await failing(w);
    await f.disable();
    const instanceNo = await w.instanceNo();
    const probes = () => w.store.deliveries.claimProbes(instanceNo, 10, RULE.probeAfterMs);
    await w.harness.advance(-6 * 3_600_000);
    const probe = only(await probes());
    assert.equal(probe.webhookNo, f.hook.no);
    await w.settle(instanceNo, [settled(probe, RELEASE, null)]);
    assert.deepEqual(await probes(), []);
    await w.harness.advance(6 * 3_600_000);
  });

  test("a probe takes the head of its order, never a refund before its purchase", async () => {
    const f = await failing(w);
    await f.fail(f.first, 9);
    await w.harness.advance(6 * DAY);
    const instanceNo = await w.instanceNo();
    const purchase = only(await w.claimAll(instanceNo));
    await w.settle(instanceNo, [retried(purchase, 10 * DAY)]);
    await w.accept([event(f.resourceId, "removed", f.first)]);
    const other = await w.acceptOne(f.resourceId, instanceNo);
    await w.settle(instanceNo, [{ ...settled(other, DEAD), health: FAILED }]);
    assert.equal((await f.webhook()).state, "disabled");
    // The refund is due now, its purchase only in days.
    await w.harness.advance(RULE.probeAfterMs + 1);
    const probe = only(await w.probes(instanceNo));
    assert.equal(probe.seq, purchase.seq);
    await w.settle(instanceNo, [settled(probe, RELEASE, null)]);
  });

  test("resuming a webhook that was disabled for failing clears its run of failures", async () => {
    for (const held of ["send", "drop"] as const) {
      const f = await failing(w);
      await f.disable();
      await w.store.webhooks.resume(f.hook.id, null, held);
      while ((await w.store.deliveries.cancelMarked(100)) > 0);
      await w.store.deliveries.cancelMarked(100);
      const instanceNo = await w.instanceNo();
      const leasedOne = await w.acceptOne(f.resourceId, instanceNo);
      await w.settle(instanceNo, [failed(leasedOne)]);
      assert.equal((await f.webhook()).state, "active", held);
    }
  });

  test("settlements that are refused say nothing about health", async () => {
    const f = await failing(w);
    const instanceNo = await w.instanceNo();
    const leasedOne = await w.acceptOne(f.resourceId, instanceNo);
    const health = await w.gone(f.hook.no);
    await w.store.instances.end(instanceNo);
    await w.settle(instanceNo, [{ ...retried(leasedOne, 0), health }]);
    assert.equal((await f.webhook()).state, "active");
  });

  for (const deletes of ["webhook", "resource"] as const) {
    test(`with its ${deletes} goes the health of a webhook, and what was on its way brings none back`, async () => {
      const f = await failing(w);
      await f.fail(f.first);
      const instanceNo = await w.instanceNo();
      const last = await w.acceptOne(f.resourceId, instanceNo);
      if (deletes === "webhook") await w.store.webhooks.delete(f.hook.id, null);
      else await w.store.resources.delete(f.resourceId);
      await w.settle(instanceNo, [failed(last)]);
      const kept = await w.harness.rows("webhook_health");
      assert.ok(!kept.some((row) => row["webhook_no"] === f.hook.no));
    });
  }
}
