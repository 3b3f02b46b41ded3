import assert from "node:assert/strict";
import { test } from "node:test";
import { MarkethookError, signBody } from "@markethook/protocol";
import { startReceiver } from "../wiring/testing/receiver.ts";
import { sqliteWorld } from "../wiring/testing/world.ts";

const SECRET = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqrTwjU";

test("a sample is signed and shaped as a real event, says that it is one, and stands in no log", async (t) => {
  const world = await sqliteWorld(t);
  const { dispatcher } = await world.instance();
  const receiver = await startReceiver(t, 204);
  // Of another event only: a sample goes all the same.
  const webhook = await world.webhook(receiver.url(), {
    secret: SECRET,
    events: ["product.update"],
  });
  const result = await dispatcher.sendSample(webhook.id, world.ownerId, {
    event: "product.user.purchase",
    userId: 4711,
    dryRun: false,
  });
  assert.deepEqual([result.outcome, result.status, result.sent], ["ok", 204, true]);
  const [arrival] = receiver.arrivals;
  assert.equal(arrival?.event, "product.user.purchase");
  assert.equal(arrival?.payload.user?.id, 4711);
  assert.equal(arrival?.headers.get("x-service-sample"), "1");
  assert.equal(arrival?.headers.get("x-service-signature"), signBody(SECRET, arrival?.body ?? ""));
  assert.equal(arrival?.webhookId, result.eventId);
  assert.equal(result.request.body, arrival?.body);
  assert.deepEqual(await world.deliveries(), []);
});

test("a sample of an update follows the version that is known, and two have two ids", async (t) => {
  const world = await sqliteWorld(t);
  const { dispatcher } = await world.instance();
  const receiver = await startReceiver(t, 204);
  const webhook = await world.webhook(receiver.url());
  const sample = { event: "product.update", userId: 1, dryRun: true } as const;
  const shown = await dispatcher.sendSample(webhook.id, null, sample);
  assert.deepEqual([shown.sent, shown.response, receiver.arrivals.length], [false, null, 0]);
  const { payload } = JSON.parse(shown.request.body) as {
    payload: { previous: { version: string }; update: { version: string } };
  };
  assert.deepEqual([payload.previous.version, payload.update.version], ["1.0", "1.0-sample"]);
  const again = await dispatcher.sendSample(webhook.id, null, sample);
  assert.notEqual(again.eventId, shown.eventId);
});

test("a sample of a foreign webhook is refused as what is not there", async (t) => {
  const world = await sqliteWorld(t);
  const { dispatcher } = await world.instance();
  const { id } = await world.webhook("http://127.0.0.1:1/");
  await assert.rejects(
    dispatcher.sendSample(id, "somebody-else", {
      event: "product.update",
      userId: 1,
      dryRun: false,
    }),
    (error) => error instanceof MarkethookError && error.code === "not_found",
  );
});
