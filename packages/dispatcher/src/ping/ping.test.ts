import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { makeSecret, MarkethookError, shownUrl, signBody } from "@markethook/protocol";
import { startReceiver } from "../wiring/testing/receiver.ts";
import { sqliteWorld } from "../wiring/testing/world.ts";

test("a press is exactly one request, whatever the answer, and stands in the log as it ended", async (t) => {
  const world = await sqliteWorld(t);
  const { dispatcher } = await world.instance();
  const receiver = await startReceiver(t, (_, count) => (count === 1 ? 500 : 200));
  const webhook = await world.webhook(receiver.url());
  const failed = await dispatcher.ping(webhook.id, null, "current");
  assert.equal(failed.outcome, "http_error");
  assert.equal(failed.status, 500);
  const done = await dispatcher.ping(webhook.id, world.ownerId, "current");
  assert.equal(done.outcome, "ok");
  assert.equal(receiver.arrivals.length, 2);
  assert.deepEqual(
    (await world.deliveries()).map(({ state, attempts, origin }) => ({ state, attempts, origin })),
    [
      { state: "delivered", attempts: 1, origin: "ping" },
      { state: "dead", attempts: 1, origin: "ping" },
    ],
  );
  const [arrival] = receiver.arrivals;
  assert.equal(arrival?.event, "ping");
  assert.equal(arrival?.payload.webhook?.url, receiver.url());
  assert.equal(arrival?.headers.get("x-service-delivery-id"), failed.deliveryId);
  assert.equal(arrival?.webhookId, failed.eventId);
  // The same but for what is shown of the URL.
  assert.equal(
    arrival?.body.replace(receiver.url(), shownUrl(receiver.url())),
    failed.request.body,
  );
  assert.equal((await world.store.webhooks.get(webhook.id, null)).failingSince, null);
});

test("a body that reads like a refusal is told, where the status says accepted", async (t) => {
  const world = await sqliteWorld(t);
  const { dispatcher } = await world.instance();
  const replies = [
    { status: 200, body: "invalid signature" },
    { status: 200, body: "ok" },
    { status: 500, body: "invalid signature" },
  ];
  const receiver = await startReceiver(t, (_, count) => replies[count - 1] ?? 200);
  const webhook = await world.webhook(receiver.url());
  const refusals = [];
  for (const _ of replies) {
    refusals.push((await dispatcher.ping(webhook.id, null, "current")).refusal);
  }
  assert.deepEqual(refusals, ["invalid signature", undefined, undefined]);
});

test("a ping's sentence says neither that it is sent again nor that it disabled the webhook", async (t) => {
  const world = await sqliteWorld(t);
  const { dispatcher } = await world.instance();
  const receiver = await startReceiver(t, (_, count) => (count === 1 ? 429 : 410));
  const webhook = await world.webhook(receiver.url());
  const throttled = await dispatcher.ping(webhook.id, null, "current");
  assert.deepEqual(
    [throttled.outcome, throttled.sentence],
    ["throttled", "The receiver asked for fewer requests."],
  );
  const gone = await dispatcher.ping(webhook.id, null, "current");
  assert.equal(gone.outcome, "gone");
  assert.match(gone.sentence, /The same answer to an event disables the webhook/);
  assert.equal((await world.store.webhooks.get(webhook.id, null)).state, "active");
});

test("a ping that never left says so, and one that was answered with an error was sent", async (t) => {
  const world = await sqliteWorld(t);
  const { dispatcher } = await world.instance();
  const receiver = await startReceiver(t, () => 500);
  const nowhere = await world.webhook("http://127.0.0.1:1/hooks");
  const failing = await world.webhook(receiver.url());
  const results = [
    await dispatcher.ping(nowhere.id, null, "current"),
    await dispatcher.ping(failing.id, null, "current"),
  ];
  assert.deepEqual(
    results.map(({ outcome, sent }) => [outcome, sent]),
    [
      ["connection_refused", false],
      ["http_error", true],
    ],
  );
});

test("it works on paused and disabled webhooks, and ignores chosen events", async (t) => {
  const world = await sqliteWorld(t);
  const { dispatcher } = await world.instance();
  const receiver = await startReceiver(t, (_, count) => (count === 2 ? 410 : 200));
  const webhook = await world.webhook(receiver.url(), { events: ["product.update"] });
  await world.store.webhooks.pause(webhook.id, null);
  assert.equal((await dispatcher.ping(webhook.id, null, "current")).outcome, "ok");
  await world.store.webhooks.resume(webhook.id, null, "send");
  const gone = await dispatcher.ping(webhook.id, null, "current");
  assert.equal(gone.outcome, "gone");
  assert.equal((await world.store.webhooks.get(webhook.id, null)).state, "active");
  assert.equal(receiver.arrivals.length, 2);
});

test("it can be signed with the secret of an open rotation, before that is in use", async (t) => {
  const world = await sqliteWorld(t);
  const { dispatcher } = await world.instance();
  const receiver = await startReceiver(t);
  const webhook = await world.webhook(receiver.url());
  await assert.rejects(
    dispatcher.ping(webhook.id, null, "next"),
    (error) => error instanceof MarkethookError && error.code === "rotation_not_open",
  );
  const secret = makeSecret(randomBytes);
  await world.store.webhooks.rotate(webhook.id, null, {
    secret,
    mode: "overlap",
    overlapSeconds: 3600,
  });
  await dispatcher.ping(webhook.id, null, "next");
  const [arrival] = receiver.arrivals;
  assert.ok(arrival);
  assert.equal(arrival.headers.get("x-service-signature"), signBody(secret, arrival.body));
  assert.equal(arrival.headers.has("x-service-signature-next"), false);
});

test("a foreign or absent webhook is not found, and nothing is sent", async (t) => {
  const world = await sqliteWorld(t);
  const { dispatcher } = await world.instance();
  const receiver = await startReceiver(t);
  const webhook = await world.webhook(receiver.url());
  for (const [id, owner] of [
    [webhook.id, "somebody-else"],
    ["wh_absent", null],
  ] as const) {
    await assert.rejects(
      dispatcher.ping(id, owner, "current"),
      (error) => error instanceof MarkethookError && error.code === "not_found",
    );
  }
  assert.equal(receiver.arrivals.length, 0);
});

test("a webhook of a resource that was sold tells its old owner nothing of it", async (t) => {
  const world = await sqliteWorld(t);
  const { dispatcher } = await world.instance();
  const receiver = await startReceiver(t);
  const { id, resourceId } = await world.webhook(receiver.url());
  const sold = { id: resourceId, ownerId: "owner-2", title: "Not out yet", subtitle: "" };
  await world.store.resources.put([sold]);
  const sample = { event: "product.update", userId: 1 } as const;
  for (const tell of [
    () => dispatcher.ping(id, world.ownerId, "current"),
    () => dispatcher.sendSample(id, world.ownerId, { ...sample, dryRun: true }),
    () => dispatcher.sendSample(id, world.ownerId, { ...sample, dryRun: false }),
    () => dispatcher.checkWebhook(id, world.ownerId),
  ]) {
    await assert.rejects(
      tell,
      (error) => error instanceof MarkethookError && error.code === "webhook_not_active",
    );
  }
  assert.equal(receiver.arrivals.length, 0);
});
