import assert from "node:assert/strict";
import { test } from "node:test";
import { signBody } from "@markethook/protocol";
import type { Store } from "@markethook/store";
import { startReceiver } from "./testing/receiver.ts";
import { sqliteWorld } from "./testing/world.ts";

/** What is promised about order, changed webhooks and fairness, in one process; several are in promises-instances.test.ts. */

test("what is about one buyer arrives in the order of acceptance, also out of one batch and after failures", async (t) => {
  const world = await sqliteWorld(t);
  let failures = 0;
  const receiver = await startReceiver(t, () => ((failures += 1) % 3 === 1 ? 500 : 200));
  await world.webhook(receiver.url());
  const { dispatcher, seen } = await world.instance({
    settings: { schedule: Array.from({ length: 50 }, () => 5) },
  });
  const ids: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    const results = await dispatcher.accept([
      world.purchase(7),
      world.refund(7),
      world.purchase(8),
    ]);
    for (const result of results.slice(0, 2)) {
      if (result.kind === "accepted") ids.push(result.eventId);
    }
  }
  await world.settledAs(seen, "delivered", 12);
  const ofSeven = receiver.arrivals.filter(({ payload }) => payload.user?.id === 7);
  assert.deepEqual([...new Set(ofSeven.map(({ webhookId }) => webhookId))], ids);
  // Once the next one has begun, the one before never comes again.
  const order = ofSeven.map(({ webhookId }) => ids.indexOf(webhookId));
  assert.deepEqual(
    order,
    [...order].sort((a, b) => a - b),
  );
});

test("what waits behind another does not go although its own time has come", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, ({ payload }) => (payload.user?.id === 7 ? 500 : 200));
  await world.webhook(receiver.url());
  const { dispatcher, seen } = await world.instance({
    settings: { schedule: Array.from({ length: 1000 }, () => 5) },
  });
  await dispatcher.accept([world.purchase(7), world.refund(7)]);
  await receiver.arrived(1);
  for (let round = 1; round <= 5; round += 1) {
    // Longer than anything waits before it is looked at again.
    await world.store.advanceClock(40_000);
    await receiver.arrived(receiver.arrivals.length + 4);
  }
  assert.ok(receiver.arrivals.every(({ event }) => event === "product.user.purchase"));
  receiver.answer(200);
  await world.settledAs(seen, "delivered", 2);
});

test("what waits behind another goes on without any hint", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  await world.webhook(receiver.url());
  await world.store.events.accept([world.purchase(7), world.refund(7)], null);
  // It is never told that one waits behind the other.
  const { deliveries } = world.store;
  const store: Store = {
    ...world.store,
    deliveries: {
      ...deliveries,
      claim: async (request) => ({ ...(await deliveries.claim(request)), blocked: [] }),
    },
  };
  const { seen } = await world.instance({ store });
  await world.settledAs(seen, "delivered", 1);
  assert.equal(receiver.arrivals.length, 1);
  await world.store.advanceClock(1000);
  await world.settledAs(seen, "delivered", 2);
});

test("secrets and URL are those of the moment of sending, not of the moment of queueing", async (t) => {
  const world = await sqliteWorld(t);
  const old = await startReceiver(t, null);
  const next = await startReceiver(t);
  const webhook = await world.webhook(old.url());
  const { dispatcher } = await world.instance();
  await dispatcher.accept(Array.from({ length: 6 }, () => world.purchase()));
  await old.arrived(2);
  await world.store.webhooks.rotate(webhook.id, null, {
    secret: "s".repeat(48),
    mode: "switch_now",
  });
  await world.store.webhooks.change(webhook.id, null, { url: next.url() });
  old.answer(200);
  await next.arrived(4);
  assert.equal(old.arrivals.length, 2);
  for (const { headers, body } of next.arrivals) {
    assert.equal(headers.get("x-service-signature"), signBody("s".repeat(48), body));
  }
});

test("pausing rewrites no waiting rows, and claims pass them over", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  const webhook = await world.webhook(receiver.url());
  const other = await startReceiver(t);
  await world.store.events.accept(
    Array.from({ length: 30 }, () => world.purchase()),
    null,
  );
  const before = await world.deliveries(webhook.id);
  await world.store.webhooks.pause(webhook.id, null);
  const { dispatcher } = await world.instance();
  await world.webhook(other.url());
  await dispatcher.accept([world.purchase()]);
  await other.arrived(1);
  assert.equal(receiver.arrivals.length, 0);
  await dispatcher.stop();
  await world.store.webhooks.resume(webhook.id, null, "send");
  const after = new Map(
    (await world.deliveries(webhook.id)).map(({ deliveryId, dueAt }) => [deliveryId, dueAt]),
  );
  for (const { deliveryId, dueAt } of before) assert.equal(after.get(deliveryId), dueAt);
});

test("a webhook with a large backlog does not keep a small one waiting", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  await world.webhook(receiver.url("/large"), { events: ["product.user.purchase"] });
  await world.webhook(receiver.url("/small"), { events: ["product.user.purchaseRemoved"] });
  for (let i = 0; i < 4; i += 1) {
    await world.store.events.accept(
      Array.from({ length: 1000 }, () => world.purchase()),
      null,
    );
  }
  await world.store.events.accept(
    Array.from({ length: 5 }, (_, index) => world.refund(5_000_000 + index)),
    null,
  );
  await world.instance();
  await receiver.arrived(600);
  const first = receiver.arrivals.slice(0, 600);
  assert.equal(first.filter(({ path }) => path === "/small").length, 5);
});

test("in memory webhooks take turns, anyone who came first", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  await world.webhook(receiver.url("/large"), { events: ["product.user.purchase"] });
  await world.webhook(receiver.url("/small"), { events: ["product.user.purchaseRemoved"] });
  const { dispatcher } = await world.instance({ settings: { concurrency: 1 } });
  await dispatcher.accept([
    ...Array.from({ length: 100 }, () => world.purchase()),
    ...Array.from({ length: 5 }, (_, index) => world.refund(5_000_000 + index)),
  ]);
  await receiver.arrived(20);
  assert.equal(receiver.arrivals.slice(0, 20).filter(({ path }) => path === "/small").length, 5);
});

test("webhooks that hang never take all slots", { timeout: 60_000 }, async (t) => {
  const world = await sqliteWorld(t);
  const hanging = await startReceiver(t, null);
  const healthy = await startReceiver(t);
  await world.webhook(healthy.url());
  const { dispatcher, seen } = await world.instance({ settings: { concurrency: 10 } });
  await dispatcher.accept([world.purchase()]);
  await world.settledAs(seen, "delivered", 1);
  for (let i = 0; i < 30; i += 1) await world.webhook(hanging.url(`/${i}`));
  for (let round = 1; round <= 20; round += 1) {
    await dispatcher.accept([world.purchase(), world.purchase(), world.purchase()]);
  }
  await healthy.arrived(61);
  assert.ok(hanging.mostOpen <= 4, `${hanging.mostOpen} hang`);
});

test("one webhook has no more requests open than its cap", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  const webhook = await world.webhook(receiver.url());
  const { dispatcher, seen } = await world.instance({ settings: { webhookConcurrency: 5 } });
  await dispatcher.accept(Array.from({ length: 20 }, () => world.purchase()));
  await seen.seen("attempt", 20);
  receiver.answer(({ event }) => (event === "ping" ? 200 : null));
  await dispatcher.accept(Array.from({ length: 30 }, () => world.purchase()));
  await receiver.arrived(25);
  // Whatever else was on its way has arrived when two pings have gone and come back after it.
  for (let i = 0; i < 2; i += 1) await dispatcher.ping(webhook.id, null, "current");
  assert.equal(receiver.open, 5);
});

test("all webhooks of one host have no more requests open than its cap", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, ({ event }) => (event === "ping" ? 200 : null));
  const webhook = await world.webhook(receiver.url());
  for (let i = 0; i < 20; i += 1) await world.webhook(receiver.url(`/${i}`));
  const { dispatcher } = await world.instance({ settings: { hostConcurrency: 12 } });
  await dispatcher.accept([world.purchase(), world.purchase()]);
  await receiver.arrived(12);
  for (let i = 0; i < 2; i += 1) await dispatcher.ping(webhook.id, null, "current");
  assert.equal(receiver.open, 12);
});
