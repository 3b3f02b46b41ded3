import type { AcceptedSome } from "../hot/accept.ts";
import type { PreparedItem } from "../hot/accept-transaction.ts";
import type { EndState, Settlement } from "../port/deliveries.ts";
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

/** Of an attempt and its delivery. */
type AttemptRow = [
  seq: number,
  lease: number,
  webhookNo: number,
  eventSeq: number,
  eventName: Settlement["eventName"],
  number: number,
  outcome: string,
  status: number | null,
  detail: string,
];

type EndRow = [...AttemptRow, state: EndState, reason: string | null];

/** A failure that counts for its webhook's health, and is tried again when the schedule says so. */
type RetryRow = [
  ...AttemptRow,
  delayMs: number,
  counts: boolean,
  throttled: boolean,
  badRequest: boolean,
];

type ResultRow = [eventId: string, deliveries: number];

export type SentItem = PreparedItem | ItemRow;
export type SentSettlement = Settlement | EndRow | RetryRow;
export interface SentAccepted extends Omit<AcceptedSome, "results"> {
  results: (AcceptResult | ResultRow)[];
}

/** Members of an event about a buyer that has a key; details are one more. */
const ITEM_MEMBERS = 6;
/** Members of a settlement that changes no webhook's health and comes with no chat message. */
const SETTLEMENT_MEMBERS = 7;
/** Members of a retry whose time only the schedule decides. */
const RETRY_MEMBERS = 4;

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
  const { seq, lease, webhookNo, eventSeq, eventName, attempt, next, health } = one;
  if (attempt === null) return one;
  const { number, outcome, status, detail } = attempt;
  const row: AttemptRow = [
    seq,
    lease,
    webhookNo,
    eventSeq,
    eventName,
    number,
    outcome,
    status,
    detail,
  ];
  const members = Object.keys(one).length;
  if (next.kind === "end" && members === SETTLEMENT_MEMBERS) {
    return [...row, next.state, next.reason];
  }
  const isUsualRetry =
    next.kind === "retry" &&
    Object.keys(next).length === RETRY_MEMBERS &&
    health?.kind === "failed" &&
    members === SETTLEMENT_MEMBERS + 1;
  return isUsualRetry
    ? [...row, next.delayMs, next.counts, next.throttled, health.badRequest]
    : one;
}

export function receiveSettlement(sent: SentSettlement): Settlement {
  if (!Array.isArray(sent)) return sent;
  const [seq, lease, webhookNo, eventSeq, eventName, number, outcome, status, detail] = sent;
  const attempt = { number, outcome, status, detail };
  if (isEnd(sent)) {
    const next = { kind: "end" as const, state: sent[9], reason: sent[10] };
    return { seq, lease, webhookNo, eventSeq, eventName, attempt, next };
  }
  const next = { kind: "retry" as const, delayMs: sent[9], counts: sent[10], throttled: sent[11] };
  const health = { kind: "failed" as const, badRequest: sent[12] };
  return { seq, lease, webhookNo, eventSeq, eventName, attempt, next, health };
}

function isEnd(row: EndRow | RetryRow): row is EndRow {
  return typeof row[9] === "string";
}

export function sendAccepted(outcome: AcceptedSome): SentAccepted {
  return {
    ...outcome,
    results: outcome.results.map((result) =>
      result.kind === "accepted" ? [result.eventId, result.deliveries] : result,
    ),
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
  };
}
