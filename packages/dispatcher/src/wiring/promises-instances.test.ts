import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { execute, type PostgresServer, startPostgres } from "@markethook/store/testing";
import type { Sender } from "../send/sender.ts";
import { NOT_SENT } from "../send/send-result.ts";
import { endSigned } from "../send/signed-exchange.ts";
import { testSender } from "../send/testing/test-sender.ts";
import { startReceiver } from "./testing/receiver.ts";
import { postgresWorld } from "./testing/world.ts";

/** What is promised where several instances share one PostgreSQL. */

const SHARED = "MARKETHOOK_TEST_POSTGRES";
let server: PostgresServer | null = null;
before(async () => {
  if (process.env[SHARED] !== undefined) return;
  server = await startPostgres();
  process.env[SHARED] = server.url;
});
after(async () => {
  if (server === null) return;
  delete process.env[SHARED];
  await server.stop();
});

/** Longer than a busy machine makes an instance wait for its turn. */
const LEASE = { leaseMs: 1500 };

test("what an instance held that missed its heartbeat is sent by another, once each", async (t) => {
  const world = await postgresWorld(t);
  const receiver = await startReceiver(t, (_, count) => (count <= 2 ? null : 200));
  await world.webhook(receiver.url());
  const dead = await world.instance({ settings: LEASE });
  const other = await world.instance({ store: await world.another(), settings: LEASE });
  await dead.dispatcher.accept(Array.from({ length: 20 }, () => world.purchase()));
  await receiver.arrived(2);
  dead.stopHeart();
  await other.seen.seen("rescued", 1, ({ instanceNos }) => instanceNos.length === 1);
  await world.settledAs(other.seen, "delivered", 20);
  // The two that were open are sent again; the rest had not been dialled.
  assert.equal(receiver.arrivals.length, 22);
  receiver.answer(200);
  await dead.seen.seen("settled", 1, ({ refused }) => refused > 0);
  assert.ok((await world.deliveries()).every(({ attempts }) => attempts === 1));
});

test("an instance that has just started judges nobody", async (t) => {
  const world = await postgresWorld(t);
  await world.instance();
  // Nobody's heartbeat has been seen for a day, as after a restart of the database's host.
  await execute(world.url, "update instances set renewed_at = renewed_at - 86400000");
  const settings = { leaseMs: 400 };
  const opened = await world.another();
  let firstLookAt = Infinity;
  const list: typeof opened.instances.list = async () => {
    firstLookAt = Math.min(firstLookAt, performance.now());
    return await opened.instances.list();
  };
  const store = { ...opened, instances: { ...opened.instances, list } };
  const young = await world.instance({ store, settings });
  await young.seen.seen("rescued");
  assert.ok(performance.now() - firstLookAt >= settings.leaseMs);
});

test("a lease whose instance has no row is freed by the sweep", async (t) => {
  const world = await postgresWorld(t);
  const receiver = await startReceiver(t, (_, count) => (count <= 2 ? null : 200));
  await world.webhook(receiver.url());
  const stranded = await world.instance();
  await stranded.dispatcher.accept([world.purchase(), world.purchase(), world.purchase()]);
  await receiver.arrived(2);
  await execute(
    world.url,
    `delete from instances where instance_no = ${stranded.dispatcher.statistics().instanceNo}`,
  );
  const other = await world.instance({ store: await world.another(), settings: LEASE });
  await world.settledAs(other.seen, "delivered", 3);
});

test("the result of an instance that was taken for dead is refused while the other one sends", async (t) => {
  const world = await postgresWorld(t);
  const receiver = await startReceiver(t, null);
  await world.webhook(receiver.url());
  const zombie = await world.instance({ settings: LEASE });
  await zombie.dispatcher.accept([world.purchase()]);
  await receiver.arrived(1);
  zombie.stopHeart();
  const other = await world.instance({
    store: await world.another(),
    settings: { ...LEASE, schedule: [] },
  });
  await receiver.arrived(2);
  receiver.answer((_, count) => (count === 1 ? 200 : null));
  await zombie.seen.seen("settled");
  assert.deepEqual(
    zombie.seen.of("settled").map(({ refused }) => refused),
    [1],
  );
  receiver.answer(500);
  await world.settledAs(other.seen, "dead", 1);
  const [delivery] = await world.deliveries();
  assert.deepEqual([delivery?.state, delivery?.attempts], ["dead", 1]);
});

test("a refund accepted by one instance waits for its purchase that another one is sending", async (t) => {
  const world = await postgresWorld(t);
  const receiver = await startReceiver(t, null);
  await world.webhook(receiver.url());
  const one = await world.instance();
  const two = await world.instance({ store: await world.another() });
  await one.dispatcher.accept([world.purchase(7)]);
  await receiver.arrived(1);
  await two.dispatcher.accept([world.refund(7), world.purchase(8)]);
  await receiver.arrived(2);
  assert.deepEqual(
    receiver.arrivals.map(({ payload }) => payload.user?.id),
    [7, 8],
  );
  receiver.answer(200);
  await receiver.arrived(3);
  assert.equal(receiver.arrivals[2]?.event, "product.user.purchaseRemoved");
});

test("a refund goes when its purchase has ended at another instance, and waits for no look", async (t) => {
  const world = await postgresWorld(t);
  const receiver = await startReceiver(t, null);
  await world.webhook(receiver.url());
  const settings = { pollMs: 3_600_000 };
  const one = await world.instance({ settings });
  const two = await world.instance({ store: await world.another(), settings });
  await one.dispatcher.accept([world.purchase(7)]);
  await receiver.arrived(1);
  let isTold = false;
  world.store.onHint(({ kind }) => {
    isTold ||= kind === "blocked";
  });
  // The first instance may not listen yet.
  while (!isTold) {
    await two.dispatcher.accept([world.refund(7)]);
    await pause(100);
  }
  receiver.answer(200);
  await receiver.arrived(2);
  assert.equal(receiver.arrivals[1]?.event, "product.user.purchaseRemoved");
});

test("an edit made through another instance reaches what is queued here", async (t) => {
  const world = await postgresWorld(t);
  const old = await startReceiver(t, null);
  const next = await startReceiver(t);
  const webhook = await world.webhook(old.url());
  const { dispatcher, seen } = await world.instance();
  await dispatcher.accept(Array.from({ length: 20 }, () => world.purchase()));
  await old.arrived(2);
  const other = await world.another();
  let told = (): void => {};
  world.store.onHint(({ kind }) => {
    if (kind === "webhooks") told();
  });
  const isTold = (): Promise<"told"> =>
    new Promise((resolve) => {
      told = () => resolve("told");
    });
  // A hint is lost while the other side does not listen yet.
  for (let round = 1, heard = null; heard === null; round += 1) {
    const listens = isTold();
    await other.webhooks.change(webhook.id, null, { description: `${round}` });
    heard = await Promise.race([listens, pause(500, null)]);
  }
  const known = isTold();
  await other.webhooks.change(webhook.id, null, { url: next.url() });
  await known;
  old.answer(200);
  await world.settledAs(seen, "delivered", 20);
  assert.equal(old.arrivals.length, 2);
});

test("polling is the truth: with every hint lost, what another instance stored is sent all the same", async (t) => {
  const world = await postgresWorld(t);
  const receiver = await startReceiver(t);
  await world.webhook(receiver.url());
  const { seen } = await world.instance({ store: { ...world.store, onHint: () => undefined } });
  const other = await world.another();
  for (let round = 1; round <= 3; round += 1) {
    await other.events.accept([world.purchase()], null);
    await world.settledAs(seen, "delivered", round);
  }
  assert.equal(receiver.arrivals.length, 3);
});

test("the same key through two instances at once is one event, and both are told its id", async (t) => {
  const world = await postgresWorld(t);
  const one = await world.instance();
  const two = await world.instance({ store: await world.another() });
  const item = () => ({
    ...world.purchase(7),
    idempotency: { key: "order-1", bodyHash: "first" },
  });
  const results = await Promise.all(
    [one, two, one, two].map(({ dispatcher }) => dispatcher.accept([item()])),
  );
  const ids = results.flat().map((result) => (result.kind === "rejected" ? "" : result.eventId));
  assert.equal(new Set(ids).size, 1);
  assert.equal(results.flat().filter(({ kind }) => kind === "accepted").length, 1);
});

test("an instance that alone has lost its network leaves the sending to the others, and takes part again", async (t) => {
  const world = await postgresWorld(t);
  const receivers = await Promise.all([1, 2, 3].map(() => startReceiver(t)));
  const webhooks = Array.from({ length: 12 }, (_, no) => receivers[no % 3]?.url(`/${no}`) ?? "");
  for (const url of webhooks) await world.webhook(url);
  const schedule = Array.from({ length: 1000 }, () => 20);
  const settings = { ...LEASE, schedule, pollMs: 20 };
  const [lost, good] = [network(testSender(t)), network(testSender(t))];
  lost.be("cut");
  const cut = await world.instance({ settings, sender: lost.sender });
  const other = await world.instance({
    store: await world.another(),
    // While its requests hang, it soon claims no more.
    settings: { ...settings, queueShare: 2, webhookConcurrency: 1 },
    sender: good.sender,
  });
  await cut.dispatcher.accept([world.purchase()]);
  await cut.seen.seen("steppedAside");
  await world.settledAs(other.seen, "delivered", 12);

  const [before, startedAt] = [cut.seen.of("attempt").length, performance.now()];
  await cut.dispatcher.accept(Array.from({ length: 30 }, () => world.purchase()));
  await world.settledAs(other.seen, "delivered", 31 * 12);
  // Of the claim before, some attempts may still have been open.
  const tries = 2 + Math.floor((performance.now() - startedAt) / (20 * settings.pollMs));
  assert.ok(cut.seen.of("attempt").length - before <= 4 * tries, "it claimed more than a few");
  // Its next heartbeat says so.
  const suspected = async (): Promise<boolean> =>
    (await world.store.instances.list()).some((one) => one.networkSuspected);
  while (!(await suspected())) await pause(20);

  good.be("slow");
  lost.be("good");
  await cut.dispatcher.accept(Array.from({ length: 30 }, () => world.purchase()));
  await cut.seen.seen("steppedAside", 1, (isAside) => !isAside);
  good.be("good");
  await Promise.all(receivers.map((receiver) => receiver.arrived(61 * 4)));
});

test("deliveries that an instance leases while it steps aside are left to the others", async (t) => {
  const world = await postgresWorld(t);
  const receivers = await Promise.all([1, 2, 3].map(() => startReceiver(t)));
  for (let no = 0; no < 12; no += 1) await world.webhook(receivers[no % 3]?.url(`/${no}`) ?? "");
  const committed = Promise.withResolvers<void>();
  const aside = Promise.withResolvers<void>();
  const { events } = world.store;
  const accept: typeof events.accept = async (items, ...more) => {
    const outcome = await events.accept(items, ...more);
    if (items.length > 1) {
      committed.resolve();
      await aside.promise;
    }
    return outcome;
  };
  const lost = network(testSender(t));
  lost.be("cut");
  const settings = { ...LEASE, schedule: Array.from({ length: 1000 }, () => 20) };
  const cut = await world.instance({
    store: { ...world.store, events: { ...events, accept } },
    // So it tries its network once.
    settings: { ...settings, pollMs: 5000 },
    sender: lost.sender,
  });
  await cut.dispatcher.accept([world.purchase()]);
  await cut.seen.seen("networkSuspected");
  // On a busy machine it may not be confirmed in time.
  const accepted = Promise.allSettled([
    cut.dispatcher.accept([world.purchase(), world.purchase()]),
  ]);
  await committed.promise;
  const other = await world.instance({ store: await world.another(), settings });
  await cut.seen.seen("steppedAside");
  const leased = new Set(
    (await world.deliveries()).slice(0, 24).map(({ deliveryId }) => deliveryId),
  );
  aside.resolve();
  await accepted;
  await world.settledAs(other.seen, "delivered", 36);
  const failed = (await world.deliveries()).filter(
    ({ deliveryId, attempts }) => leased.has(deliveryId) && attempts > 1,
  );
  assert.ok(failed.length <= 4, `${failed.length} of 24 lost an attempt`);
});

/** A sender, and the state of its network. Slow: requests go when it is good again. */
function network(inner: Sender) {
  let state: "good" | "cut" | "slow" = "good";
  const late: (() => void)[] = [];
  const sender: Sender = {
    send: (...given) => inner.send(...given),
    start: (...given) => inner.start(...given),
    startSigned(request, owner) {
      if (state === "good") inner.startSigned(request, owner);
      else if (state === "slow") late.push(() => inner.startSigned(request, owner));
      else endSigned(request, owner, { ...NOT_SENT, category: "connection_refused" });
    },
    openSockets: () => inner.openSockets(),
    threads: () => inner.threads(),
    right: inner.right,
    close: () => inner.close(),
  };
  return {
    sender,
    be(now: typeof state): void {
      state = now;
      if (state === "good") for (const start of late.splice(0)) start();
    },
  };
}
