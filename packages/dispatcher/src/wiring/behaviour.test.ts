import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { makeSecret, signBody } from "@markethook/protocol";
import { startReceiver } from "./testing/receiver.ts";
import { sqliteWorld } from "./testing/world.ts";

/** Over the real SQLite store, the real sender and a real receiver: what owners and receivers are promised. */

test("an event reaches its receiver signed, and its delivery ends as delivered with one attempt", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  const webhook = await world.webhook(receiver.url("/in?from=market"));
  const { dispatcher, seen } = await world.instance();
  const [result] = await dispatcher.accept([world.purchase(7)]);
  await world.settledAs(seen, "delivered", 1);
  const [arrival] = receiver.arrivals;
  assert.ok(arrival);
  assert.equal(arrival.path, "/in?from=market");
  assert.equal(arrival.payload.user?.id, 7);
  assert.ok(result?.kind === "accepted");
  assert.equal(arrival.webhookId, result.eventId);
  const { current } = await world.store.webhooks.revealSecrets(webhook.id, null);
  assert.equal(arrival.headers.get("x-service-signature"), signBody(current, arrival.body));
  const [delivery] = await world.deliveries();
  assert.equal(delivery?.attempts, 1);
});

test("a failed delivery is retried by the schedule with a new nonce, and dead after the last attempt", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, 500);
  await world.webhook(receiver.url());
  const { dispatcher, seen } = await world.instance({ settings: { schedule: [20, 20, 20] } });
  await dispatcher.accept([world.purchase()]);
  await world.settledAs(seen, "dead", 1);
  assert.deepEqual(
    receiver.arrivals.map(({ attempt }) => attempt),
    [1, 2, 3, 4],
  );
  assert.equal(new Set(receiver.arrivals.map(({ body }) => body)).size, 4);
  assert.equal(new Set(receiver.arrivals.map(({ webhookId }) => webhookId)).size, 1);
  const [delivery] = await world.deliveries();
  assert.equal(delivery?.reason, "attempts_exhausted");
});

test("Retry-After holds the whole webhook, not only the delivery that was answered", async (t) => {
  const world = await sqliteWorld(t);
  const busy = await startReceiver(t, { status: 503, headers: { "Retry-After": "3600" } });
  const healthy = await startReceiver(t);
  await world.webhook(busy.url());
  const { dispatcher, seen } = await world.instance();
  await dispatcher.accept([world.purchase()]);
  await seen.seen("attempt");
  await world.webhook(healthy.url());
  const purchases = Array.from({ length: 20 }, () => world.purchase());
  await dispatcher.accept(purchases);
  await healthy.arrived(20);
  await world.settledAs(seen, "delivered", 20);
  assert.equal(busy.arrivals.length, 1);
});

test("what waited in memory when the receiver asked for a pause is not sent either", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, null);
  await world.webhook(receiver.url());
  const { dispatcher, seen } = await world.instance();
  await dispatcher.accept(Array.from({ length: 30 }, () => world.purchase()));
  await receiver.arrived(2);
  receiver.answer({ status: 429, headers: { "Retry-After": "3600" } });
  await seen.seen("attempt", 2);
  await seen.seen("settled", 1, () => dispatcher.statistics().queued === 0);
  assert.equal(receiver.arrivals.length, 2);
});

test("a new URL ends the pause that the old receiver asked for", async (t) => {
  const world = await sqliteWorld(t);
  const old = await startReceiver(t, { status: 503, headers: { "Retry-After": "3600" } });
  const next = await startReceiver(t);
  const webhook = await world.webhook(old.url());
  const { dispatcher, seen } = await world.instance();
  await dispatcher.accept([world.purchase()]);
  await seen.seen("attempt");
  await dispatcher.accept([world.purchase(), world.purchase()]);
  await world.store.webhooks.change(webhook.id, null, { url: next.url() });
  await next.arrived(2);
  assert.equal(old.arrivals.length, 1);
});

test("a 410 from a URL that its owner left ends that delivery alone: the others go to the new URL", async (t) => {
  const world = await sqliteWorld(t);
  const old = await startReceiver(t, null);
  const next = await startReceiver(t);
  const webhook = await world.webhook(old.url());
  const { dispatcher, seen } = await world.instance();
  await dispatcher.accept(Array.from({ length: 6 }, () => world.purchase()));
  await old.arrived(2);
  await world.store.webhooks.change(webhook.id, null, { url: next.url() });
  old.answer(410);
  await world.settledAs(seen, "dead", 2);
  await world.settledAs(seen, "delivered", 4);
  assert.deepEqual([old.arrivals.length, next.arrivals.length], [2, 4]);
  assert.equal((await world.store.webhooks.get(webhook.id, null)).state, "active");
});

const FINAL = [
  { name: "410", reply: 410, reason: "gone" },
  {
    name: "webhook-delivery: disable",
    reply: { status: 500, headers: { "webhook-delivery": "disable" } },
    reason: "receiver_request",
  },
] as const;
for (const { name, reply, reason } of FINAL) {
  test(`${name} disables at once, holds the rest and is never probed`, async (t) => {
    const world = await sqliteWorld(t);
    const receiver = await startReceiver(t, null);
    const webhook = await world.webhook(receiver.url());
    const { dispatcher, seen } = await world.instance({ settings: { probeEveryMs: 20 } });
    await dispatcher.accept(Array.from({ length: 10 }, () => world.purchase()));
    await receiver.arrived(2);
    receiver.answer(reply);
    await world.settledAs(seen, "dead", 2);
    await world.settledAs(seen, "held", 8);
    const { state, disabledReason } = await world.store.webhooks.get(webhook.id, null);
    assert.deepEqual({ state, disabledReason }, { state: "disabled", disabledReason: reason });
    await world.store.advanceClock(30 * 86_400_000);
    // Later events go round the claim loop and the probes, and still nothing is sent here.
    const other = await startReceiver(t);
    await world.webhook(other.url());
    for (let round = 1; round <= 5; round += 1) {
      await dispatcher.accept([world.purchase()]);
      await other.arrived(round);
    }
    assert.equal(receiver.arrivals.length, 2);
  });
}

for (const status of [500, 400]) {
  test(`a webhook that answers ${status} to everything is disabled, probed with the oldest held delivery, comes back by itself and drains`, async (t) => {
    const world = await sqliteWorld(t);
    const receiver = await startReceiver(t, status);
    const webhook = await world.webhook(receiver.url());
    const { dispatcher, seen } = await world.instance({
      settings: {
        schedule: [20, 20, 20, 20, 20, 20],
        disable: { afterMs: 1, attempts: 3, events: 2, probeAfterMs: 60_000, acceptedWithinMs: 0 },
        probeEveryMs: 20,
      },
    });
    await dispatcher.accept([world.purchase(), world.purchase()]);
    await world.settledAs(seen, "held", 2);
    await world.store.advanceClock(1000);
    await dispatcher.accept(Array.from({ length: 5 }, () => world.purchase()));
    const before = receiver.arrivals.length;
    const oldest = (await world.deliveries()).slice(-2).map(({ eventId }) => eventId);
    await world.store.advanceClock(60_000);
    await receiver.arrived(before + 2);
    assert.ok(oldest.includes(receiver.arrivals[before]?.webhookId ?? ""));
    receiver.answer(200);
    await world.settledAs(seen, "delivered", 7);
    assert.equal((await world.store.webhooks.get(webhook.id, null)).state, "active");
  });
}

test("a pause reaches at once what is queued but not dialled, and resuming sends it", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, null);
  const webhook = await world.webhook(receiver.url());
  const { dispatcher, seen } = await world.instance();
  await dispatcher.accept(Array.from({ length: 20 }, () => world.purchase()));
  await receiver.arrived(2);
  await world.store.webhooks.pause(webhook.id, null);
  receiver.answer(200);
  await world.settledAs(seen, "held", 18);
  assert.equal(receiver.arrivals.length, 2);
  await world.store.webhooks.resume(webhook.id, null, "send");
  await world.settledAs(seen, "delivered", 20);
  assert.equal(receiver.arrivals.length, 20);
});

test("an edit reaches at once what is queued but not dialled", async (t) => {
  const world = await sqliteWorld(t);
  const old = await startReceiver(t, null);
  const next = await startReceiver(t);
  const webhook = await world.webhook(old.url());
  const { dispatcher, seen } = await world.instance();
  await dispatcher.accept(Array.from({ length: 20 }, () => world.purchase()));
  await old.arrived(2);
  await world.store.webhooks.change(webhook.id, null, { url: next.url() });
  old.answer(200);
  await world.settledAs(seen, "delivered", 20);
  assert.equal(old.arrivals.length, 2);
  assert.equal(next.arrivals.length, 18);
});

test("a deletion reaches at once what is queued but not dialled, and cancels it", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, null);
  const webhook = await world.webhook(receiver.url());
  const other = await startReceiver(t);
  const { dispatcher, seen } = await world.instance();
  await dispatcher.accept(Array.from({ length: 20 }, () => world.purchase()));
  await receiver.arrived(2);
  await world.store.webhooks.delete(webhook.id, null);
  receiver.answer(200);
  await seen.seen("settled", 1, () => dispatcher.statistics().queued === 0);
  await world.webhook(other.url());
  await dispatcher.accept([world.purchase()]);
  await other.arrived(1);
  assert.equal(receiver.arrivals.length, 2);
});

test("a graceful stop takes nothing new, lets open attempts end, and gives back the rest for the next start", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, null);
  await world.webhook(receiver.url());
  const first = await world.instance();
  await first.dispatcher.accept(Array.from({ length: 20 }, () => world.purchase()));
  await receiver.arrived(2);
  const stop = first.dispatcher.stop();
  await assert.rejects(first.dispatcher.accept([world.purchase()]), { code: "shutting_down" });
  receiver.answer(200);
  assert.deepEqual(await stop, { released: 18 });
  assert.equal(receiver.arrivals.length, 2);
  const second = await world.instance();
  await world.settledAs(second.seen, "delivered", 20);
  assert.equal(receiver.arrivals.length, 20);
  assert.equal(new Set(receiver.arrivals.map(({ webhookId }) => webhookId)).size, 20);
  assert.ok((await world.deliveries()).every(({ attempts }) => attempts === 1));
});

test("during a rotation's overlap both secrets sign, after it the new one alone", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  const webhook = await world.webhook(receiver.url());
  const { dispatcher } = await world.instance();
  const { current } = await world.store.webhooks.revealSecrets(webhook.id, null);
  const next = makeSecret(randomBytes);
  await world.store.webhooks.rotate(webhook.id, null, {
    secret: next,
    mode: "overlap",
    overlapSeconds: null,
  });
  await dispatcher.accept([world.purchase()]);
  await receiver.arrived(1);
  await world.store.webhooks.switchSecret(webhook.id, null);
  await dispatcher.accept([world.purchase()]);
  await receiver.arrived(2);
  const [during, after] = receiver.arrivals;
  assert.ok(during && after);
  assert.equal(during.headers.get("x-service-signature"), signBody(current, during.body));
  assert.equal(during.headers.get("x-service-signature-next"), signBody(next, during.body));
  assert.equal(during.headers.get("webhook-signature")?.split(" ").length, 2);
  assert.equal(after.headers.get("x-service-signature"), signBody(next, after.body));
  assert.equal(after.headers.has("x-service-signature-next"), false);
  assert.equal(after.headers.get("webhook-signature")?.split(" ").length, 1);
});

test("a refund waits for its purchase that is being retried, while other buyers go on", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, ({ payload }) => (payload.user?.id === 7 ? 500 : 200));
  await world.webhook(receiver.url());
  const { dispatcher, seen } = await world.instance({
    settings: { schedule: Array.from({ length: 100 }, () => 20) },
  });
  await dispatcher.accept([world.purchase(7), world.refund(7), world.purchase(8)]);
  await world.settledAs(seen, "delivered", 1);
  await receiver.arrived(4);
  const ofSeven = () => receiver.arrivals.filter(({ payload }) => payload.user?.id === 7);
  assert.ok(ofSeven().every(({ event }) => event === "product.user.purchase"));
  receiver.answer(200);
  await world.settledAs(seen, "delivered", 3);
  assert.equal(ofSeven().at(-1)?.event, "product.user.purchaseRemoved");
  assert.equal(ofSeven().filter(({ event }) => event === "product.user.purchaseRemoved").length, 1);
});

test("a refund goes on after its purchase is dead", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, ({ event }) =>
    event === "product.user.purchase" ? 500 : 200,
  );
  await world.webhook(receiver.url());
  const { dispatcher, seen } = await world.instance({ settings: { schedule: [20] } });
  await dispatcher.accept([world.purchase(7), world.refund(7)]);
  await world.settledAs(seen, "delivered", 1);
  assert.deepEqual(
    receiver.arrivals.map(({ event }) => event),
    ["product.user.purchase", "product.user.purchase", "product.user.purchaseRemoved"],
  );
});

test("with 4,000 queued the memory queue stays within its share, and all arrive once", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t, null);
  await world.webhook(receiver.url());
  await world.webhook(receiver.url("/other"));
  // Without a poll: more is claimed as soon as what was claimed has gone out.
  const { dispatcher } = await world.instance({
    settings: { queueShare: 100, intakeTimeoutMs: 60_000, pollMs: 60_000 },
  });
  for (let batch = 0; batch < 4; batch += 1) {
    await dispatcher.accept(Array.from({ length: 500 }, () => world.purchase()));
    const { queued, open } = dispatcher.statistics();
    // Two commits' worth of shares at most.
    assert.ok(queued + open <= 2 * 200, `${queued} in memory`);
  }
  receiver.answer(200);
  await receiver.arrived(4000);
  await dispatcher.stop();
  const { pending, leased } = await world.store.maintenance.statistics();
  assert.deepEqual({ pending, leased }, { pending: 0, leased: 0 });
  const pairs = receiver.arrivals.map(({ webhookId, path }) => `${path} ${webhookId}`);
  assert.equal(new Set(pairs).size, 4000);
  assert.equal(pairs.length, 4000);
});
