import assert from "node:assert/strict";
import { test } from "node:test";
import { MarkethookError, signBody, signRequest } from "@markethook/protocol";
import { type Arrival, startReceiver } from "../wiring/testing/receiver.ts";
import { sqliteWorld } from "../wiring/testing/world.ts";

const SECRET = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqrTwjU";
const NEXT = "LaLaSwMfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKY";

function fits({ headers, body }: Arrival, secret: string): boolean {
  const at = Number(headers.get("webhook-timestamp"));
  const expected =
    signRequest({ current: secret }, headers.get("webhook-id") ?? "", at, body).standard ?? "";
  const isNear = Math.abs(Date.now() / 1000 - at) < 300;
  return isNear && headers.get("webhook-signature")?.split(" ").includes(expected) === true;
}

test("a check-up is a ping in the log, and marked requests that are stored nowhere", async (t) => {
  const world = await sqliteWorld(t);
  const { dispatcher } = await world.instance();
  const receiver = await startReceiver(t, (arrival) => (fits(arrival, SECRET) ? 200 : 401));
  const webhook = await world.webhook(receiver.url(), { secret: SECRET });
  const { verdict, probes, ping } = await dispatcher.checkWebhook(webhook.id, world.ownerId);
  assert.equal(verdict, "refuses_forgeries");
  assert.deepEqual(
    receiver.arrivals.map(({ headers }) => headers.get("x-service-checkup")),
    [undefined, ...probes.map(({ probe }) => probe)],
  );
  assert.deepEqual(
    (await world.deliveries()).map(({ state, origin }) => [state, origin]),
    [["delivered", "ping"]],
  );
  const [genuine, repeat] = receiver.arrivals;
  assert.equal(genuine?.headers.get("webhook-id"), ping.eventId);
  // A receiver that remembers ids sees the same event again, as after a reply that was lost.
  const plain = (body = ""): string => body.replace(/"nonce":"[^"]*"/, "");
  assert.equal(repeat?.headers.get("webhook-id"), ping.eventId);
  assert.equal(plain(repeat?.body), plain(genuine?.body));
});

test("where the genuine ping is not accepted nothing else is sent", async (t) => {
  const world = await sqliteWorld(t);
  const { dispatcher } = await world.instance();
  const receiver = await startReceiver(t, 401);
  const webhook = await world.webhook(receiver.url());
  const { verdict, probes, ping } = await dispatcher.checkWebhook(webhook.id, null);
  assert.deepEqual([verdict, probes, ping.status], ["ping_failed", [], 401]);
  assert.equal(receiver.arrivals.length, 1);
});

test("a secret that is no base64 is checked without what it cannot sign", async (t) => {
  const world = await sqliteWorld(t);
  const { dispatcher } = await world.instance();
  const secret = "not base64!";
  const receiver = await startReceiver(t, ({ headers, body }) =>
    headers.get("x-service-signature") === signBody(secret, body) ? 200 : 401,
  );
  const webhook = await world.webhook(receiver.url(), { secret });
  const { verdict, probes } = await dispatcher.checkWebhook(webhook.id, null);
  assert.deepEqual([verdict, probes.length], ["refuses_forgeries", 8]);
});

test("during a rotation a receiver with either secret refuses the forgeries of both", async (t) => {
  for (const secret of [SECRET, NEXT]) {
    const world = await sqliteWorld(t);
    const { dispatcher } = await world.instance();
    const receiver = await startReceiver(t, (arrival) => (fits(arrival, secret) ? 200 : 401));
    const webhook = await world.webhook(receiver.url(), { secret: SECRET });
    await world.store.webhooks.rotate(webhook.id, null, {
      secret: NEXT,
      mode: "overlap",
      overlapSeconds: null,
    });
    const { verdict, probes } = await dispatcher.checkWebhook(webhook.id, null);
    assert.deepEqual([verdict, probes.length], ["refuses_forgeries", 11]);
  }
});

test("a foreign webhook is not there", async (t) => {
  const world = await sqliteWorld(t);
  const { dispatcher } = await world.instance();
  const { id } = await world.webhook("http://127.0.0.1:1/");
  await assert.rejects(
    dispatcher.checkWebhook(id, "somebody-else"),
    (error) => error instanceof MarkethookError && error.code === "not_found",
  );
});
