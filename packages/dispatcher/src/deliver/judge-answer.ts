import { DELIVERY_CONTROL_HEADER, type DeliveryControl } from "@markethook/protocol";

import type { ChatDisabledReason } from "@markethook/store";
import type { FailureCategory } from "../send/send-result.ts";
import type { JudgedResult } from "../send/signed-exchange.ts";

export type AttemptOutcome =
  | "ok"
  | "http_error"
  | "redirect"
  | "throttled"
  | "gone"
  | "aborted_by_receiver"
  | "disabled_by_receiver"
  | Exclude<FailureCategory, "sender_lost">
  | "outcome_unknown"
  | ChatDisabledReason
  | "chat_refused"
  | "chat_message_gone";

export interface Verdict {
  outcome: AttemptOutcome;
  /**
   * `retry`: after the schedule's next delay; `throttled`: later, without using up the schedule; `dead`: never
   * again; `release`: the request was not sent for a reason of ours, so nothing is recorded against the receiver;
   * `lost`: its sender ended with it, and the delivery is a suspect.
   */
  next: "delivered" | "retry" | "throttled" | "dead" | "release" | "lost";
  disableWebhook: null | "gone" | "receiver_request";
  /** True for a failure that says something about the webhook's health. */
  countsTowardDisabling: boolean;
}

/** A row of the tables below. Outcomes of chats are not among them: `judge-chat.ts` sorts a chat's answers. */
type Row = readonly [
  outcome: AttemptOutcome,
  next: Verdict["next"],
  disableWebhook: Verdict["disableWebhook"],
  countsTowardDisabling: boolean,
];

/** By the request of the receiver in `webhook-delivery`. A 2xx stays delivered in any case. */
const BY_CONTROL: Readonly<Record<DeliveryControl, Row>> = {
  "abort-message": ["aborted_by_receiver", "dead", null, false],
  disable: ["disabled_by_receiver", "dead", "receiver_request", false],
};

/** By status, if it means more than its class. */
const BY_STATUS: ReadonlyMap<number, Row> = new Map<number, Row>([
  // Often the receiver does not know the name or form of one event, and accepts all others.
  [400, ["http_error", "retry", null, false]],
  [410, ["gone", "dead", "gone", false]],
  [429, ["throttled", "throttled", null, false]],
]);

/** By the status's first digit. Interim responses never become an answer. */
const BY_CLASS: ReadonlyMap<number, Row> = new Map<number, Row>([
  [2, ["ok", "delivered", null, false]],
  [3, ["redirect", "retry", null, true]],
  [4, ["http_error", "retry", null, true]],
  [5, ["http_error", "retry", null, true]],
]);

/** Our own faults, before anything was sent. */
const OURS: ReadonlySet<FailureCategory> = new Set([
  "lease_lost",
  "stopped",
  "socket_limit",
  "address_unconfirmed",
]);

/** Returns the meaning of an exchange for its delivery and its webhook. */
export function judgeAnswer(result: JudgedResult): Verdict {
  const [outcome, next, disableWebhook, countsTowardDisabling] = rowOf(result);
  return { outcome, next, disableWebhook, countsTowardDisabling };
}

function rowOf(result: JudgedResult): Row {
  const { category, status } = result;
  if (category !== null) return rowOfFailure(category, result.sent);
  if (status === null) return ["invalid_response", "retry", null, true];

  const byStatus = BY_STATUS.get(status) ??
    BY_CLASS.get(Math.floor(status / 100)) ?? ["invalid_response", "retry", null, true];
  const control = readControl(result.headers);
  if (control === null || byStatus[2] !== null) return byStatus;
  const byControl = BY_CONTROL[control];
  return byStatus[1] === "delivered" ? ["ok", "delivered", byControl[2], false] : byControl;
}

function rowOfFailure(category: FailureCategory, sent: boolean): Row {
  if (category === "sender_lost") return ["outcome_unknown", "lost", null, false];
  if (!OURS.has(category)) return [category, "retry", null, true];
  // Stopped while the request was open: the receiver may have acted on it, and no one will know.
  return sent ? ["outcome_unknown", "retry", null, false] : [category, "release", null, false];
}

/** If there are several, the strongest counts: a receiver that says `disable` at all means it. */
function readControl(headers: readonly [string, string][]): DeliveryControl | null {
  let found: DeliveryControl | null = null;
  for (const [name, value] of headers) {
    if (name.length !== DELIVERY_CONTROL_HEADER.length) continue;
    if (name.toLowerCase() !== DELIVERY_CONTROL_HEADER) continue;
    const word = value.toLowerCase();
    if (word === "disable") return word;
    if (word === "abort-message") found = word;
  }
  return found;
}
