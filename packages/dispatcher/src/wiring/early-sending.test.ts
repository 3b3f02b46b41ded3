import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { type Reply, startReceiver } from "./testing/receiver.ts";
import { sqliteWorld } from "./testing/world.ts";

const HOUR = 3_600_000;

/** One delivery waits an hour for its next attempt, because its first one was answered so. */
async function oneWaiting(t: TestContext, refusal: Reply = 500) {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, refusal);
  const webhook = await world.webhook(receiver.url());
  const schedule = [HOUR, 24 * HOUR];
  const { dispatcher, seen } = await world.instance({ settings: { schedule } });
  await dispatcher.accept([world.purchase()]);
  await world.settledAs(seen, "pending", 1);
  const [waiting] = await world.deliveries();
  assert.ok(waiting !== undefined);
  return { world, receiver, webhook, dispatcher, seen, waiting };
}

test("a person sends a waiting delivery now; its schedule is as it was, also when that fails", async (t) => {
  const { world, receiver, seen, waiting } = await oneWaiting(t);
  await world.store.log.sendNow(waiting.deliveryId, world.ownerId);
  await receiver.arrived(2);
  await seen.seen("settled", 2);
  const [after] = await world.deliveries();
  assert.deepEqual([after?.state, after?.attempts, after?.dueAt], ["pending", 2, waiting.dueAt]);
  receiver.answer(204);
  await world.store.log.sendNow(waiting.deliveryId, world.ownerId);
  await world.settledAs(seen, "delivered", 1);
});

test("sent now by a person, a delivery goes also while the receiver asked for a pause", async (t) => {
  const { world, receiver, seen, waiting } = await oneWaiting(t, {
    status: 503,
    headers: { "Retry-After": "7200" },
  });
  receiver.answer(204);
  await world.store.log.sendNow(waiting.deliveryId, world.ownerId);
  await world.settledAs(seen, "delivered", 1);
});

test("resumed with send, a webhook sends what waits for its next attempt", async (t) => {
  const { world, receiver, webhook, seen } = await oneWaiting(t);
  receiver.answer(204);
  await world.store.webhooks.pause(webhook.id, null);
  await world.store.webhooks.resume(webhook.id, null, "send");
  await world.settledAs(seen, "delivered", 1);
});

test("the success that ends a run of failures brings what waits forward", async (t) => {
  const { world, receiver, webhook, dispatcher, seen } = await oneWaiting(t);
  receiver.answer(204);
  // What is known of it is read again, so that its success is told.
  await world.store.webhooks.change(webhook.id, null, { description: "known to be failing" });
  await dispatcher.accept([world.purchase()]);
  await world.settledAs(seen, "delivered", 2);
});
