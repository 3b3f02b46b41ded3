import type { ChatAnswer, ChatOutcome } from "@markethook/chat";
import type {
  AttemptRecord,
  ChatDisabledReason,
  QueuedDelivery,
  SendableWebhook,
  Settlement,
  SettlementNext,
} from "@markethook/store";
import { nextDelay } from "../deliver/backoff.ts";
import type { Verdict } from "../deliver/judge-answer.ts";
import type { SendResult } from "../send/send-result.ts";
import {
  afterEarly,
  asAsked,
  judge,
  type Judged,
  PROBED,
  type SettlementRules,
} from "../deliver/settlement.ts";

type Row = readonly [
  outcome: Verdict["outcome"],
  next: Verdict["next"],
  disable: ChatDisabledReason | null,
  countsTowardDisabling: boolean,
];

/** `chat_message_gone` is sent again at once, as a message of its own; the sale's message is forgotten by then. */
const BY_OUTCOME: Readonly<Record<ChatOutcome, Row>> = {
  delivered: ["ok", "delivered", null, false],
  throttled: ["throttled", "throttled", null, false],
  refused: ["chat_refused", "dead", null, false],
  message_gone: ["chat_message_gone", "retry", null, false],
  webhook_deleted: ["chat_deleted", "dead", "chat_deleted", false],
  webhook_token: ["chat_token", "dead", "chat_token", false],
  webhook_forbidden: ["chat_forbidden", "dead", "chat_forbidden", false],
  failed: ["http_error", "retry", null, true],
};

export function outcomeOf(answer: ChatAnswer): Verdict["outcome"] {
  return BY_OUTCOME[answer.outcome][0];
}

/** Returns why all webhooks with this address are to be disabled; null: they are not. */
export function disablingOf(answer: ChatAnswer): ChatDisabledReason | null {
  return BY_OUTCOME[answer.outcome][2];
}

/** Judges a chat's answer for the delivery, for its webhook, and for all webhooks that share its address. */
export function judgeChat(
  delivery: QueuedDelivery,
  webhook: Pick<SendableWebhook, "failing" | "state" | "urlMark" | "chat">,
  result: SendResult,
  /** Null: no usable answer came. */
  answer: ChatAnswer | null,
  attempt: AttemptRecord,
  rules: SettlementRules,
): Judged {
  if (answer === null) return judge(delivery, webhook, result, attempt, rules);
  const [outcome, next, disable, countsTowardDisabling] = BY_OUTCOME[answer.outcome];
  // A signal of the settlement disables the address, with all webhooks that have it.
  const verdict: Verdict = { outcome, next, disableWebhook: null, countsTowardDisabling };
  const settlement: Settlement = {
    seq: delivery.seq,
    lease: delivery.lease,
    webhookNo: delivery.webhookNo,
    eventSeq: delivery.eventSeq,
    eventName: delivery.eventName,
    attempt,
    next: nextOf(delivery, verdict, answer, rules),
  };
  if (disable !== null) {
    const target = webhook.chat?.target ?? "";
    settlement.health = { kind: "disable_chat", reason: disable, target };
  } else if (next === "delivered") {
    if (webhook.failing || webhook.state === "disabled" || delivery.probe)
      settlement.health = { kind: "ok" };
  } else if (countsTowardDisabling) {
    settlement.health = { kind: "failed", badRequest: false };
  }
  // Until it is settled and all readers see that the webhook is disabled.
  return { verdict, settlement, coolDownMs: disable === null ? 0 : Infinity };
}

function nextOf(
  delivery: QueuedDelivery,
  { next, outcome }: Verdict,
  answer: ChatAnswer,
  rules: SettlementRules,
): SettlementNext {
  if (next === "delivered") return { kind: "end", state: "delivered", reason: null };
  if (next === "dead") return { kind: "end", state: "dead", reason: outcome };
  if (outcome === "chat_message_gone") {
    return { kind: "retry", delayMs: 0, counts: false, throttled: false };
  }
  if (delivery.probe) return PROBED;
  if (delivery.early) return asAsked(afterEarly(answer.retryAfterMs, rules), answer.retryAfterMs);
  if (next === "throttled") {
    if (delivery.throttled + 1 >= rules.throttledLimit) {
      return { kind: "end", state: "dead", reason: "throttled_too_often" };
    }
    const delayMs = answer.retryAfterMs ?? rules.schedule[0] ?? 0;
    const retry = { kind: "retry", delayMs, counts: false, throttled: true } as const;
    return asAsked(retry, answer.retryAfterMs);
  }
  const delayMs = nextDelay(rules.schedule, delivery.step + 1, rules.random);
  return delayMs === null
    ? { kind: "end", state: "dead", reason: "attempts_exhausted" }
    : { kind: "retry", delayMs, counts: true, throttled: false };
}
