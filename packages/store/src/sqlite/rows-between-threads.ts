import { type AcceptedSome, preLeasedDelivery } from "../hot/accept.ts";
import type { PreparedItem } from "../hot/accept-transaction.ts";
import type { EndState, QueuedDelivery, Settlement } from "../port/deliveries.ts";
import type { AcceptResult } from "../port/events.ts";

// An object is copied to another thread with the names of its members, which takes twice as long as copying its values.
// So what comes by the hundred is sent as a row of values if it has exactly the usual members, and as it is otherwise.

type ItemRow = [
  resourceId: string,
  name: PreparedItem["name"],
  time: number,
  tag: string,
  userId: number,
  key: string,
  bodyHash: string,
  details: string | undefined,
];

type SettlementRow = [
  seq: number,
  lease: number,
  webhookNo: number,
  eventSeq: number,
  eventName: Settlement["eventName"],
  number: number,
  outcome: string,
  status: number | null,
  detail: string,
  state: EndState,
  reason: string | null,
];

type ResultRow = [eventId: string, deliveries: number];

type DeliveryRow = [
  seq: number,
  eventSeq: number,
  tag: string,
  webhookNo: number,
  eventName: QueuedDelivery["eventName"],
  eventTime: number,
  payload: string,
  orderKey: number | null,
  lease: number,
];

export type SentItem = PreparedItem | ItemRow;
export type SentSettlement = Settlement | SettlementRow;
export interface SentAccepted extends Omit<AcceptedSome, "results" | "preLeased"> {
  results: (AcceptResult | ResultRow)[];
  preLeased: DeliveryRow[];
}

/** Members of an event about a buyer that has a key; details are one more. */
const ITEM_MEMBERS = 6;
/** Members of a settlement that changes no webhook's health and comes with no chat message. */
const SETTLEMENT_MEMBERS = 7;

export function sendItem(item: PreparedItem): SentItem {
  const { resourceId, name, time, tag, userId, idempotency, details } = item;
  const members = details === undefined ? ITEM_MEMBERS : ITEM_MEMBERS + 1;
  return userId === undefined || idempotency === undefined || Object.keys(item).length !== members
    ? item
    : [resourceId, name, time, tag, userId, idempotency.key, idempotency.bodyHash, details];
}

export function receiveItem(sent: SentItem): PreparedItem {
  if (!Array.isArray(sent)) return sent;
  const [resourceId, name, time, tag, userId, key, bodyHash, details] = sent;
  const item = { resourceId, name, time, tag, userId, idempotency: { key, bodyHash } };
  return details === undefined ? item : { ...item, details };
}

export function sendSettlement(one: Settlement): SentSettlement {
  const { seq, lease, webhookNo, eventSeq, eventName, attempt, next } = one;
  if (attempt === null || next.kind !== "end" || Object.keys(one).length !== SETTLEMENT_MEMBERS) {
    return one;
  }
  const { number, outcome, status, detail } = attempt;
  const { state, reason } = next;
  return [
    seq,
    lease,
    webhookNo,
    eventSeq,
    eventName,
    number,
    outcome,
    status,
    detail,
    state,
    reason,
  ];
}

export function receiveSettlement(sent: SentSettlement): Settlement {
  if (!Array.isArray(sent)) return sent;
  const [seq, lease, webhookNo, eventSeq, eventName, ...attemptAndNext] = sent;
  const [number, outcome, status, detail, state, reason] = attemptAndNext;
  const attempt = { number, outcome, status, detail };
  return {
    seq,
    lease,
    webhookNo,
    eventSeq,
    eventName,
    attempt,
    next: { kind: "end", state, reason },
  };
}

export function sendAccepted(outcome: AcceptedSome): SentAccepted {
  return {
    ...outcome,
    results: outcome.results.map((result) =>
      result.kind === "accepted" ? [result.eventId, result.deliveries] : result,
    ),
    preLeased: outcome.preLeased.map((one) => [
      one.seq,
      one.eventSeq,
      one.tag,
      one.webhookNo,
      one.eventName,
      one.eventTime,
      one.payload,
      one.orderKey,
      one.lease,
    ]),
  };
}

export function receiveAccepted(sent: SentAccepted): AcceptedSome {
  return {
    ...sent,
    results: sent.results.map((result) =>
      Array.isArray(result)
        ? { kind: "accepted", eventId: result[0], deliveries: result[1] }
        : result,
    ),
    preLeased: sent.preLeased.map(
      ([seq, eventSeq, tag, webhookNo, eventName, eventTime, payload, orderKey, lease]) =>
        preLeasedDelivery({
          seq,
          eventSeq,
          tag,
          webhookNo,
          eventName,
          eventTime,
          payload,
          orderKey,
          lease,
        }),
    ),
  };
}
