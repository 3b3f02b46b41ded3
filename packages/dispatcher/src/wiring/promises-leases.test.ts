import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "@markethook/store";
import { testSender } from "../send/testing/test-sender.ts";
import { startReceiver } from "./testing/receiver.ts";
import { sqliteWorld } from "./testing/world.ts";

/** What is promised about leases and results, in one process; several are in promises-instances.test.ts. */

test("a restarted single process rescues its own deliveries at once", async (t) => {
  const world = await sqliteWorld(t);
  // The killed one never hears of the two that it had open.
  const receiver = await startReceiver(t, (_, count) => (count <= 2 ? null : 200));
  await world.webhook(receiver.url());
  const killed = await world.instance();
  await killed.dispatcher.accept([world.purchase(), world.purchase(), world.purchase()]);
  await receiver.arrived(2);
  const { seen } = await world.instance();
  await world.settledAs(seen, "delivered", 3);
  assert.equal(receiver.arrivals.length, 5);
});

test("an accept whose instance has just ended leases nothing to it", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  await world.webhook(receiver.url());
  const { dispatcher, seen } = await world.instance({ settings: { pollMs: 3_600_000 } });
  const { instanceNo } = dispatcher.statistics();
  await world.store.instances.end(instanceNo ?? 0);
  const [result] = await dispatcher.accept([world.purchase()]);
  assert.equal(result?.kind, "accepted");
  assert.deepEqual(
    seen.of("accepted").map(({ leased, notPreLeased }) => ({ leased, notPreLeased })),
    [{ leased: 0, notPreLeased: 1 }],
  );
  assert.equal((await world.store.maintenance.statistics()).leased, 0);
});

test("a claim whose instance has just ended takes nothing", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  await world.webhook(receiver.url());
  const { dispatcher, seen } = await world.instance();
  await world.store.instances.end(dispatcher.statistics().instanceNo ?? 0);
  await world.store.events.accept([world.purchase()], null);
  dispatcher.wake();
  await seen.seen("fault", 1, (where) => where === "claim");
  assert.equal((await world.store.maintenance.statistics()).leased, 0);
  assert.equal(receiver.arrivals.length, 0);
});

test("the right to write is asked for when the socket is about to be written, not when it was queued", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  const url = receiver.url().replace("127.0.0.1", "shop.example.com");
  await world.webhook(url);
  let late = 0;
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const sender = testSender(t, {
    resolver: {
      async resolve() {
        ask();
        await gate;
        return ["127.0.0.1"];
      },
    },
  });
  const { promise: attempted, resolve: beatAgain } = Promise.withResolvers<void>();
  const { instances } = world.store;
  const store: Store = {
    ...world.store,
    instances: {
      ...instances,
      async renew(instanceNo, networkSuspected) {
        if (late > 0) await attempted;
        return await instances.renew(instanceNo, networkSuspected);
      },
    },
  };
  const { dispatcher, seen } = await world.instance({
    store,
    sender,
    settings: { leaseMs: 8000 },
    clocks: { now: () => performance.now() + late, wallNow: () => Date.now() + late },
  });
  await dispatcher.accept([world.purchase()]);
  await asked;
  // As if this process had been stopped for six seconds: others may judge it soon.
  late = 6001;
  open();
  await seen.seen("attempt");
  assert.deepEqual(
    seen.of("attempt").map(({ outcome, next }) => ({ outcome, next })),
    [{ outcome: "lease_lost", next: "release" }],
  );
  assert.equal(receiver.arrivals.length, 0);
  // The next heartbeat is confirmed, and what was given back is sent with its first attempt.
  beatAgain();
  await world.settledAs(seen, "delivered", 1);
  assert.equal(receiver.arrivals[0]?.attempt, 1);
});

test("without confirmed heartbeats nothing is taken or dialled; with the next one it goes on", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  await world.webhook(receiver.url());
  let beats = true;
  const store: Store = {
    ...world.store,
    instances: {
      ...world.store.instances,
      renew: (instanceNo, networkSuspected) =>
        beats
          ? world.store.instances.renew(instanceNo, networkSuspected)
          : Promise.reject(new Error("no answer")),
    },
  };
  let late = 0;
  const { dispatcher, seen } = await world.instance({
    store,
    // So long that this process is not stopped for three quarters of it.
    settings: { leaseMs: 2000 },
    clocks: { now: () => performance.now() + late, wallNow: () => Date.now() + late },
  });
  beats = false;
  late = 1500;
  await dispatcher.accept([world.purchase()]);
  await seen.seen("fault", 2, (where) => where === "heartbeat");
  assert.deepEqual(
    seen.of("accepted").map(({ leased }) => leased),
    [0],
  );
  assert.equal(seen.of("attempt").length, 0);
  assert.equal(dispatcher.statistics().mayWrite, false);
  beats = true;
  await world.settledAs(seen, "delivered", 1);
  assert.equal(dispatcher.statistics().mayWrite, true);
  assert.equal(seen.of("attempt").length, 1);
});

test("a heartbeat that changes no row drops what was held: only what was open is sent twice", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, null);
  await world.webhook(receiver.url());
  const { dispatcher, seen } = await world.instance({ settings: { leaseMs: 400 } });
  await dispatcher.accept(Array.from({ length: 20 }, () => world.purchase()));
  await receiver.arrived(2);
  await world.store.instances.end(dispatcher.statistics().instanceNo ?? 0);
  await seen.seen("instanceStarted", 2);
  receiver.answer(200);
  await world.settledAs(seen, "delivered", 20);
  await seen.seen("attempt", 22);
  assert.equal(receiver.arrivals.length, 22);
  assert.equal(new Set(receiver.arrivals.map(({ webhookId }) => webhookId)).size, 20);
});

test("a late result of an instance that has ended changes nothing, also while another has the delivery", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, null);
  await world.webhook(receiver.url());
  const first = await world.instance();
  await first.dispatcher.accept([world.purchase()]);
  await receiver.arrived(1);
  // A second process on the same store: the first one's instance is over, without its knowing.
  const second = await world.instance({ settings: { schedule: [] } });
  await receiver.arrived(2);
  receiver.answer((_, count) => (count === 1 ? 200 : null));
  await first.seen.seen("settled");
  assert.deepEqual(
    first.seen.of("settled").map(({ refused }) => refused),
    [1],
  );
  receiver.answer(500);
  await world.settledAs(second.seen, "dead", 1);
  const [delivery] = await world.deliveries();
  assert.ok(delivery);
  assert.deepEqual([delivery.state, delivery.attempts], ["dead", 1]);
  assert.equal((await world.details(delivery)).attemptRecords.length, 1);
});

test("results are stored in batches, however many come in one by one", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, null);
  for (let i = 0; i < 50; i += 1) await world.webhook(receiver.url(`/${i}`));
  const { dispatcher, seen } = await world.instance();
  await dispatcher.accept([world.purchase(), world.purchase()]);
  await receiver.arrived(50);
  receiver.answer(200);
  await world.settledAs(seen, "delivered", 100);
  assert.ok(seen.of("settled").length <= 50, `${seen.of("settled").length} transactions`);
});

test("a retry is due by the database's clock, whatever the process thinks the time is", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, 500);
  await world.webhook(receiver.url());
  const { dispatcher, seen } = await world.instance({
    settings: { schedule: [60_000] },
    clocks: { wallNow: () => Date.now() + 86_400_000 },
  });
  await dispatcher.accept([world.purchase()]);
  await seen.seen("settled");
  const now = await world.store.maintenance.now();
  const [delivery] = await world.deliveries();
  const wait = (delivery?.dueAt ?? 0) - now;
  assert.ok(wait > 50_000 && wait <= 60_000, `due in ${wait} ms`);
});

for (const kind of ["accept", "claim"] as const) {
  test(`when the answer to ${kind === "accept" ? "an accept" : "a claim"} is lost, what it leased is not stranded`, async (t) => {
    const world = await sqliteWorld(t);
    const receiver = await startReceiver(t);
    await world.webhook(receiver.url());
    let lose = false;
    const losing = async <T>(work: Promise<T>): Promise<T> => {
      const outcome = await work;
      if (!lose) return outcome;
      lose = false;
      throw new Error("the answer was lost");
    };
    const { events, deliveries } = world.store;
    const store: Store = {
      ...world.store,
      events: {
        ...events,
        accept: (items, budget) =>
          kind === "accept" ? losing(events.accept(items, budget)) : events.accept(items, budget),
      },
      deliveries: {
        ...deliveries,
        claim: (request) =>
          kind === "claim" ? losing(deliveries.claim(request)) : deliveries.claim(request),
      },
    };
    const { dispatcher, seen } = await world.instance({ store });
    lose = true;
    if (kind === "accept") {
      await assert.rejects(dispatcher.accept([world.purchase()]), /answer was lost/);
    } else {
      await world.store.events.accept([world.purchase()], null);
      dispatcher.wake();
    }
    await world.settledAs(seen, "delivered", 1);
    assert.equal(receiver.arrivals.length, 1);
  });
}

test("a stop ends although the database takes heartbeats and no outcomes; what was sent goes again later", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  await world.webhook(receiver.url());
  const store: Store = {
    ...world.store,
    deliveries: {
      ...world.store.deliveries,
      settle: () => Promise.reject(new Error("the disk is full")),
    },
  };
  const { dispatcher, seen } = await world.instance({ store });
  await dispatcher.accept([world.purchase()]);
  await seen.seen("fault", 1, (where) => where === "settle");
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let released: number | null = null;
  void dispatcher.stop().then((end) => ({ released } = end));
  while (released === null) {
    t.mock.timers.tick(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  t.mock.timers.reset();
  // Its timers are real ones, which the mock's `clearTimeout` left running.
  await dispatcher.stop();
  assert.equal(released, 1);
  const next = await world.instance();
  await world.settledAs(next.seen, "delivered", 1);
  assert.equal(receiver.arrivals.length, 2);
});
