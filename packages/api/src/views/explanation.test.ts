import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeliverySummary, WebhookAndEvent } from "@markethook/store";
import { explanationView } from "./explanation.ts";
import { START_MS } from "../testing/test-app.ts";

const EVENT = {
  eventId: "evt_1abcdefghij",
  resourceId: "map-1",
  name: "product.user.purchase",
  time: 1,
  userId: 7,
  acceptedAt: START_MS,
  erased: false,
};
const WEBHOOK: WebhookAndEvent = {
  webhookId: "wh_1",
  url: "https://r.example/",
  state: "active",
  disabledReason: null,
  stateSince: null,
  chosenNow: true,
  createdAt: START_MS - 2,
  updatedAt: START_MS - 2,
  deletedAt: null,
  delivery: null,
  behindDeliveryId: null,
};

function failedDelivery(change: Partial<DeliverySummary> = {}): DeliverySummary {
  return {
    seq: 1,
    deliveryId: "dlv_1abcdefghij",
    eventId: EVENT.eventId,
    eventName: "product.user.purchase",
    eventTime: EVENT.time,
    webhookId: WEBHOOK.webhookId,
    resourceId: EVENT.resourceId,
    userId: EVENT.userId,
    state: "dead",
    reason: null,
    origin: "event",
    attempts: 1,
    lastOutcome: "http_error",
    lastStatus: 500,
    version: null,
    dueAt: null,
    createdAt: START_MS,
    endedAt: START_MS,
    details: null,
    ...change,
  };
}

function line(change: Partial<WebhookAndEvent>, event: Partial<typeof EVENT> = {}) {
  const webhooks = [{ ...WEBHOOK, ...change }];
  return explanationView({ event: { ...EVENT, ...event }, webhooks }, START_MS - 1).webhooks[0];
}

test("a webhook that got no delivery is told why, from when it was made, changed and deleted", () => {
  assert.equal(line({ createdAt: START_MS + 1 })?.verdict, "created_later");
  assert.equal(line({ deletedAt: START_MS })?.verdict, "deleted");
  assert.equal(line({ chosenNow: false })?.verdict, "not_chosen");
  const changed = line({ updatedAt: START_MS + 1 });
  assert.equal(changed?.verdict, "not_chosen");
  assert.match(changed.sentence, /it is now/);
  assert.equal(line({}), undefined, "the delivery's time in the log is over");
});

test("where an event can be sent all the same, that is told", () => {
  const late = { createdAt: START_MS + 1 };
  assert.equal(line(late)?.missing, true);
  assert.equal(line({ updatedAt: START_MS + 1 })?.missing, true);
  assert.equal(line({ ...late, chosenNow: false })?.missing, undefined);
  assert.equal(line({ ...late, disabledReason: "owner_changed" })?.missing, undefined);
  assert.equal(line({ deletedAt: START_MS })?.missing, undefined);
  assert.equal(line({ delivery: failedDelivery() })?.missing, undefined);
  assert.equal(line(late, { erased: true })?.missing, undefined);
  assert.equal(line(late, { acceptedAt: START_MS - 2 })?.missing, undefined, "not known any more");
});

test("a delivery is told by its state, and a held one by its webhook's", () => {
  const of = (state: "held" | "waiting" | "pending" | "leased" | "cancelled" | "delivered") =>
    failedDelivery({ state, lastOutcome: null });
  assert.equal(line({ delivery: of("delivered") })?.verdict, "sent");
  assert.equal(line({ delivery: of("leased") })?.verdict, "pending");
  assert.equal(line({ delivery: of("pending") })?.verdict, "pending");
  const waiting = line({ delivery: of("waiting"), behindDeliveryId: "dlv_x" });
  assert.deepEqual([waiting?.verdict, waiting?.behindDeliveryId], ["waiting", "dlv_x"]);
  const since = START_MS;
  const paused = line({ delivery: of("held"), state: "paused", stateSince: since });
  assert.deepEqual(
    [paused?.verdict, paused?.since],
    ["paused_since", new Date(since).toISOString()],
  );
  const disabled = line({ delivery: of("held"), state: "disabled", disabledReason: "gone" });
  assert.equal(disabled?.verdict, "disabled");
  assert.match(disabled.sentence, /410 Gone/);
  assert.equal(line({ delivery: of("held") })?.verdict, "held");
  assert.equal(line({ delivery: of("cancelled") })?.verdict, "cancelled");
});

test("a failure names its last outcome, and a blocked address is told as such", () => {
  const failed = line({ delivery: failedDelivery({ attempts: 10 }) });
  assert.equal(failed?.verdict, "failed");
  assert.match(failed.sentence, /after 10 attempts, last with status 500/);
  const reset = failedDelivery({ lastOutcome: "connection_reset", lastStatus: null });
  assert.match(line({ delivery: reset })?.sentence ?? "", /last with connection reset/);
  for (const state of ["dead", "pending"] as const) {
    const delivery = failedDelivery({ state, lastOutcome: "blocked", lastStatus: null });
    assert.equal(line({ delivery })?.verdict, "blocked_address", state);
  }
});
