import type { AttemptDetail, DeliveryDetail } from "@markethook/store";
import { deliveryId, eventId } from "@markethook/protocol";
import { START_MS } from "./test-app.ts";

const TAG = "abcdefghij";

/** A delivery that failed once, with this `seq`. */
export function sampleDelivery(
  seq: number,
  change: Partial<DeliveryDetail & { ownerId: string }> = {},
): DeliveryDetail & { ownerId: string } {
  const detail: AttemptDetail = {
    at: START_MS,
    profile: 1,
    url: "https://receiver.example/hook",
    nonce: "n".repeat(16),
    timestamp: 1_767_323_045,
    signature: "5".repeat(64),
    timings: { dnsMs: null, connectMs: 1, tlsMs: 2, firstByteMs: 3, totalMs: 4 },
    headers: [["Content-Type", "text/plain"]],
    body: "no",
    operatorDetail: "peer 192.0.2.1",
  };
  return {
    seq,
    deliveryId: deliveryId({ seq, tag: TAG }),
    eventId: eventId({ seq, tag: TAG }),
    eventName: "product.user.purchase",
    eventTime: 1_767_323_000,
    webhookId: "wh_00000000000000000001",
    resourceId: "map-1",
    userId: 7,
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
    payload: '{"product":{"id":"map-1"},"user":{"id":7}}',
    details: '{"buyerName":"Jo"}',
    attemptRecords: [
      { number: 1, outcome: "http_error", status: 500, detail: JSON.stringify(detail) },
    ],
    ownerId: "o-1",
    ...change,
  };
}
