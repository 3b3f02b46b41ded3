import { shownUrl } from "@markethook/protocol";
import type { QueuedDelivery, SendableWebhook } from "@markethook/store";
import { hostOf } from "@markethook/store/testing";
import type { SendResult } from "../../send/send-result.ts";

/** A purchase on its first attempt, except for what is given. */
export function sampleDelivery(change: Partial<QueuedDelivery> = {}): QueuedDelivery {
  const seq = change.seq ?? 128;
  return {
    seq,
    lease: 1,
    eventSeq: Math.floor(seq / 128),
    tag: "AAAAAAAA",
    webhookNo: 1,
    eventName: "product.user.purchase",
    eventTime: 1_700_000_000,
    payload: '{"user":{"id":7}}',
    orderKey: null,
    attempts: 0,
    step: 0,
    throttled: 0,
    suspicion: 0,
    origin: "event",
    early: false,
    probe: false,
    ...change,
  };
}

export function sampleWebhook(change: Partial<SendableWebhook> = {}): SendableWebhook {
  const no = change.no ?? 1;
  const url = change.url ?? `http://receiver-${no}.example/hook`;
  return {
    no,
    id: `wh_${no}`,
    resourceId: "castle",
    ownerId: "mason",
    url,
    urlMark: "mark",
    shownUrl: shownUrl(url),
    host: hostOf(url),
    format: "json",
    chat: null,
    state: "active",
    disabledReason: null,
    cancelled: false,
    secrets: { current: "a".repeat(48) },
    failing: false,
    includeDetails: false,
    ...change,
  };
}

/** A usable answer, except for what is given. */
export function sampleResult(change: Partial<SendResult> = {}): SendResult {
  return {
    status: 200,
    category: null,
    detail: null,
    sent: true,
    headers: [],
    body: Buffer.alloc(0),
    bodyTruncated: false,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 1 },
    reusedConnection: false,
    address: "192.0.2.1",
    ...change,
  };
}
