import assert from "node:assert/strict";
import { test } from "node:test";
import type { AcceptedSome } from "../hot/accept.ts";
import type { PreparedItem } from "../hot/accept-transaction.ts";
import type { Retry, Settlement } from "../port/deliveries.ts";
import {
  receiveAccepted,
  receiveItem,
  receiveSettlement,
  sendAccepted,
  sendItem,
  sendSettlement,
} from "./rows-between-threads.ts";

const ITEM: PreparedItem = {
  resourceId: "castle",
  name: "product.user.purchase",
  time: 1_790_000_000,
  tag: "0123456789abcdef",
  userId: 7,
  idempotency: { key: "order-1", bodyHash: "ab" },
};

test("an event arrives in the other thread as it was sent, with whatever else it brings", () => {
  const { idempotency: _, ...withoutKey } = ITEM;
  const { userId: __, ...withoutUser } = ITEM;
  const items: PreparedItem[] = [
    ITEM,
    { ...ITEM, details: '{"amount":"4.99"}' },
    withoutKey,
    { ...withoutKey, details: "{}" },
    withoutUser,
    { ...ITEM, name: "product.user.firstDownload", dedupeKey: "hash" },
    { ...ITEM, details: "{}", dedupeKey: "hash" },
    { ...ITEM, resource: { title: "Castle", ownerId: "owner" } },
    {
      ...withoutUser,
      name: "product.update",
      update: {
        id: "3",
        version: "2.0",
        time: 5,
        size: "9",
        fileType: ".zip",
        branch: "release",
        title: "",
        description: "",
      },
      updateTimeIsDefault: true,
    },
  ];
  const sent = structuredClone(items.map(sendItem));
  assert.deepEqual(sent.map(receiveItem), items);
  assert.deepEqual(sent.map(Array.isArray), [true, true, ...items.slice(2).map(() => false)]);
});

const SETTLEMENT: Settlement = {
  seq: 4096,
  lease: 12,
  webhookNo: 3,
  eventSeq: 4,
  eventName: "product.user.purchase",
  attempt: { number: 1, outcome: "delivered", status: 200, detail: '{"at":1}' },
  next: { kind: "end", state: "delivered", reason: null },
};

const NEXT: Retry = { kind: "retry", delayMs: 5, counts: true, throttled: false };
const RETRY: Settlement = {
  ...SETTLEMENT,
  attempt: { number: 2, outcome: "http_error", status: 500, detail: '{"at":1}' },
  next: NEXT,
  health: { kind: "failed", badRequest: false },
};

test("a settlement arrives in the other thread as it was sent, with whatever else it brings", () => {
  const usual: Settlement[] = [
    SETTLEMENT,
    { ...SETTLEMENT, next: { kind: "end", state: "dead", reason: "attempts_exhausted" } },
    RETRY,
    { ...RETRY, next: { kind: "retry", delayMs: 0, counts: false, throttled: true } },
    { ...RETRY, health: { kind: "failed", badRequest: true } },
  ];
  const others: Settlement[] = [
    { ...SETTLEMENT, attempt: null },
    { ...SETTLEMENT, next: { kind: "release" } },
    { ...SETTLEMENT, next: RETRY.next },
    { ...SETTLEMENT, health: { kind: "ok" } },
    { ...SETTLEMENT, health: { kind: "failed", badRequest: false } },
    { ...SETTLEMENT, chatMessage: { userId: 7, messageId: "8" } },
    { ...RETRY, attempt: null },
    { ...RETRY, health: { kind: "ok" } },
    { ...RETRY, health: { kind: "disable", reason: "gone", urlMark: "mark" } },
    { ...RETRY, chatMessage: { userId: 7, messageId: "8" } },
    { ...RETRY, next: { ...NEXT, askedMs: 9 } },
    { ...RETRY, next: { ...NEXT, early: true } },
  ];
  const all = [...usual, ...others];
  const sent = structuredClone(all.map(sendSettlement));
  assert.deepEqual(sent.map(receiveSettlement), all);
  assert.deepEqual(sent.map(Array.isArray), [...usual.map(() => true), ...others.map(() => false)]);
});

test("what was accepted arrives in the other thread as it was sent", () => {
  const outcome: AcceptedSome = {
    taken: 4,
    results: [
      { kind: "accepted", eventId: "evt_1", deliveries: 2 },
      { kind: "duplicate", eventId: "evt_0" },
      { kind: "rejected", code: "resource_unknown" },
      { kind: "rejected", code: "previous_unknown", detail: "There is no version." },
    ],
    preLeased: [
      [4096, 4, "0123456789abcdef", 3, "product.user.purchase", 1_790_000_000, "{}", 7, 12],
      [4097, 4, "0123456789abcdef", 3, "product.user.purchase", 1_790_000_000, "{}", null, 12],
    ],
    plainWebhooks: [],
    notPreLeased: 1,
    claimable: 1,
    blocked: [{ webhookNo: 3, orderKey: 7 }],
  };
  assert.deepEqual(receiveAccepted(structuredClone(sendAccepted(outcome))), outcome);
});
