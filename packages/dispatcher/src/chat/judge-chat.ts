import type { ChatAnswer, ChatOutcome } from "@markethook/chat";
import type {
  AttemptRecord,
  ChatDisabledReason,
  QueuedDelivery,
  SendableWebhook,
} from "@markethook/store";
import type { Verdict } from "../deliver/judge-answer.ts";
import type { SendResult } from "../send/send-result.ts";
import {
  AT_ONCE,
  healthOf,
  judge,
  type Judged,
  nextOf,
  settlementOf,
  type SettlementRules,
  UNTIL_DISABLED_MS,
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
  const asked = answer.retryAfterMs;
  const throttledMs = asked ?? rules.schedule[0] ?? 0;
  const isGone = outcome === "chat_message_gone";
  const then = isGone ? AT_ONCE : nextOf(delivery, verdict, asked, rules, throttledMs);
  const settlement = settlementOf(delivery, attempt, then);
  const health =
    disable === null
      ? healthOf(delivery, webhook, verdict)
      : ({ kind: "disable_chat", reason: disable, target: webhook.chat?.target ?? "" } as const);
  if (health !== undefined) settlement.health = health;
  return { verdict, settlement, coolDownMs: disable === null ? 0 : UNTIL_DISABLED_MS };
}
