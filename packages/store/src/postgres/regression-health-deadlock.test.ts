import assert from "node:assert/strict";
import { test } from "node:test";
import type { HealthSignal, QueuedDelivery, Settlement } from "../port/deliveries.ts";
import type { Store } from "../port/store.ts";
import { budget, event } from "../conformance/reports.ts";
import { delivered, retried, RULE } from "../conformance/settlements.ts";
import { testWorld } from "./open-harness.ts";

const WEBHOOKS = 20;
const ROUNDS = 30;

/** Of two rounds one has failures alone, which are only counted, and one has successes among them. */
function outcome(delivery: QueuedDelivery, round: number): Settlement {
  const failed = round % 2 === 0 || (delivery.seq + round) % 3 > 0;
  const health: HealthSignal = failed ? { kind: "failed", badRequest: false } : { kind: "ok" };
  const settlement = failed ? retried(delivery, 3_600_000) : delivered(delivery);
  settlement.health = health;
  return settlement;
}

test("instances that store failures and successes of the same webhooks never wait for each other", async (t) => {
  const w = await testWorld(t);
  const { harness } = w;
  const resources: string[] = [];
  for (let count = 0; count < WEBHOOKS; count += 1) resources.push((await w.shop()).id);
  const another = await harness.openAnother?.();
  assert.ok(another !== undefined);
  const settleAll = async (store: Store, first: number): Promise<void> => {
    const { instanceNo } = await store.instances.start(`instance ${first}`, "1.0.0");
    for (let round = first; round < first + ROUNDS; round += 1) {
      const some = resources.filter((_, no) => (no + round) % 4 > 0);
      const items = some.map((id) => event(id, "purchase", w.user()));
      const { preLeased } = await store.events.accept(items, budget(instanceNo));
      const settlements = preLeased.map((one) => outcome(one, round));
      await store.deliveries.settle(instanceNo, settlements, RULE);
    }
  };
  await Promise.all([settleAll(w.store, 0), settleAll(w.store, 100), settleAll(another, 200)]);
});
