import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "@markethook/store";
import { startReceiver } from "./testing/receiver.ts";
import { sqliteWorld } from "./testing/world.ts";

/** What is promised between a request and its delivery. */

test("an event reaches the webhooks of the moment it was stored, not of a moment before", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  const first = await world.webhook(receiver.url("/first"));
  const { dispatcher, seen } = await world.instance();
  await dispatcher.accept([world.purchase()]);
  await receiver.arrived(1);
  await world.webhook(receiver.url("/second"));
  const [both] = await dispatcher.accept([world.purchase()]);
  assert.ok(both?.kind === "accepted");
  assert.equal(both.deliveries, 2);
  await world.store.webhooks.delete(first.id, null);
  const [one] = await dispatcher.accept([world.purchase()]);
  assert.ok(one?.kind === "accepted");
  assert.equal(one.deliveries, 1);
  await world.settledAs(seen, "delivered", 4);
  assert.deepEqual(receiver.arrivals.map(({ path }) => path).sort(), [
    "/first",
    "/first",
    "/second",
    "/second",
  ]);
});

test("nothing after the answer is needed: what a process accepted before it died is sent by the next", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  await world.webhook(receiver.url());
  // It accepts, and is never started: no instance, no claims, no memory of it.
  const dead = await world.instance({ start: false });
  await dead.dispatcher.accept([world.purchase(), world.purchase()]);
  const { seen } = await world.instance();
  await world.settledAs(seen, "delivered", 2);
  assert.equal(receiver.arrivals.length, 2);
});

test("requests that arrive during a commit share the next one, and are answered after it", async (t) => {
  const world = await sqliteWorld(t);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  let answered = 0;
  const store: Store = {
    ...world.store,
    events: {
      ...world.store.events,
      async accept(items, budget) {
        const outcome = await world.store.events.accept(items, budget);
        await gate;
        return outcome;
      },
    },
  };
  const { dispatcher, seen } = await world.instance({ store });
  const requests = [dispatcher.accept([world.purchase()])];
  await new Promise(setImmediate);
  for (let i = 0; i < 50; i += 1) requests.push(dispatcher.accept([world.purchase()]));
  for (const request of requests) void request.then(() => (answered += 1));
  await new Promise(setImmediate);
  assert.equal(answered, 0);
  open();
  await Promise.all(requests);
  // Commits that end in the same moment may be told of in either order.
  const batches = seen.of("accepted").map(({ items }) => items);
  assert.deepEqual(
    batches.toSorted((a, b) => a - b),
    [1, 50],
  );
});

test("the same idempotency key twice in one batch is one event", async (t) => {
  const world = await sqliteWorld(t);
  const { dispatcher } = await world.instance();
  const item = () => ({
    ...world.purchase(7),
    idempotency: { key: "order-1", bodyHash: "first" },
  });
  const [[first], [second], [third]] = await Promise.all([
    dispatcher.accept([item()]),
    dispatcher.accept([item()]),
    dispatcher.accept([{ ...item(), idempotency: { key: "order-1", bodyHash: "second" } }]),
  ]);
  assert.ok(first?.kind === "accepted" && second?.kind === "duplicate");
  assert.equal(second.eventId, first.eventId);
  assert.deepEqual(third, { kind: "rejected", code: "idempotency_key_reused" });
});

test("a due delivery is sent without any claim", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  await world.webhook(receiver.url());
  const store: Store = {
    ...world.store,
    deliveries: {
      ...world.store.deliveries,
      claim: async () => ({ deliveries: [], cursor: 0, visited: 0, blocked: [] }),
    },
  };
  const { dispatcher, seen } = await world.instance({ store });
  await dispatcher.accept([world.purchase()]);
  await world.settledAs(seen, "delivered", 1);
  assert.deepEqual(
    seen.of("accepted").map(({ leased, notPreLeased }) => ({ leased, notPreLeased })),
    [{ leased: 1, notPreLeased: 0 }],
  );
});

test("what does not fit into a webhook's share waits for a claim, and is sent too", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  await world.webhook(receiver.url());
  const { dispatcher, seen } = await world.instance({ settings: { queueShare: 3 } });
  await dispatcher.accept(Array.from({ length: 10 }, () => world.purchase()));
  await world.settledAs(seen, "delivered", 10);
  assert.equal(receiver.arrivals.length, 10);
  const [batch] = seen.of("accepted");
  assert.deepEqual([batch?.leased, batch?.notPreLeased], [3, 7]);
});

test("a delivery stands in one table by its stage: leased, then pending, then ended", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, null);
  await world.webhook(receiver.url());
  const { dispatcher, seen } = await world.instance({ settings: { schedule: [3_600_000] } });
  const tables = async () => {
    const { leased, pending } = await world.store.maintenance.statistics();
    return { leased, pending };
  };
  await dispatcher.accept([world.purchase()]);
  await receiver.arrived(1);
  assert.deepEqual(await tables(), { leased: 1, pending: 0 });
  receiver.answer(500);
  await seen.seen("settled");
  assert.deepEqual(await tables(), { leased: 0, pending: 1 });
  receiver.answer(200);
  await world.store.advanceClock(2 * 3_600_000);
  await seen.seen("settled", 2);
  assert.deepEqual(await tables(), { leased: 0, pending: 0 });
  const [delivery] = await world.deliveries();
  assert.ok(delivery);
  assert.equal(delivery.state, "delivered");
  assert.deepEqual(
    (await world.details(delivery)).attemptRecords.map(({ number, outcome }) => ({
      number,
      outcome,
    })),
    [
      { number: 1, outcome: "http_error" },
      { number: 2, outcome: "ok" },
    ],
  );
});

test("at the cap the answer is 503 at once; after the time limit the outcome is unknown, and the commit goes on", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  await world.webhook(receiver.url());
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const store: Store = {
    ...world.store,
    events: {
      ...world.store.events,
      async accept(items, budget) {
        await gate;
        return await world.store.events.accept(items, budget);
      },
    },
  };
  const { dispatcher, seen } = await world.instance({
    store,
    settings: { intakeBytes: 1000, intakeTimeoutMs: 30 },
  });
  const slow = assert.rejects(dispatcher.accept([world.purchase()]), { code: "outcome_unknown" });
  await new Promise(setImmediate);
  const queued = assert.rejects(dispatcher.accept([world.purchase()]), { code: "outcome_unknown" });
  await assert.rejects(dispatcher.accept([world.purchase()]), { code: "overloaded" });
  await Promise.all([slow, queued]);
  open();
  await world.settledAs(seen, "delivered", 2);
  assert.equal(receiver.arrivals.length, 2);
});

test("what waits in memory stays within its bytes; the rest waits in the store", async (t) => {
  const world = await sqliteWorld(t);
  const { ownerId, resourceId, store } = world;
  const title = "x".repeat(20_000);
  await store.resources.put([{ id: resourceId, ownerId, title, subtitle: "" }]);
  const receiver = await startReceiver(t);
  for (let i = 0; i < 20; i += 1) await world.webhook(receiver.url(`/${i}`));
  const queueBytes = 2 * 1024 * 1024;
  const { dispatcher, seen } = await world.instance({ settings: { queueBytes } });
  // Until the first claim has come back it does not know how large they are.
  await dispatcher.accept(Array.from({ length: 10 }, () => world.purchase()));
  await receiver.arrived(200);
  receiver.answer(null);
  for (let i = 0; i < 9; i += 1) {
    await dispatcher.accept(Array.from({ length: 10 }, () => world.purchase()));
    const { queued } = dispatcher.statistics();
    assert.ok(queued * title.length <= queueBytes, `${queued} in memory`);
  }
  receiver.answer(200);
  await receiver.arrived(2000);
  assert.equal(seen.of("fault").length, 0);
});

test("requests that are open or not stored yet are capped together", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  for (let i = 0; i < 25; i += 1) await world.webhook(receiver.url(`/${i}`));
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const store: Store = {
    ...world.store,
    deliveries: {
      ...world.store.deliveries,
      async settle(instanceNo, settlements, rule) {
        await gate;
        return await world.store.deliveries.settle(instanceNo, settlements, rule);
      },
    },
  };
  const { dispatcher } = await world.instance({ store, settings: { concurrency: 50 } });
  await dispatcher.accept(Array.from({ length: 100 }, () => world.purchase()));
  await receiver.arrived(2000);
  // Everything that may still come has come when a ping, which the cap does not stop, was answered twice.
  const webhook = await world.webhook(receiver.url("/ping"));
  for (let i = 0; i < 2; i += 1) await dispatcher.ping(webhook.id, null, "current");
  assert.ok(receiver.arrivals.length <= 2000 + 50 + 2, `${receiver.arrivals.length} sent`);
  open();
  await receiver.arrived(2500 + 2);
});
