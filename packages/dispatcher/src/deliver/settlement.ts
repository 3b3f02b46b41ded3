import type {
  AttemptRecord,
  QueuedDelivery,
  Retry,
  SendableWebhook,
  Settlement,
  SettlementNext,
} from "@markethook/store";
import { nextDelay } from "./retry-schedule.ts";
import { judgeAnswer, type Verdict } from "./judge-answer.ts";
import { clampRetryAfter, retryAfterMs } from "./retry-after.ts";
import type { JudgedResult } from "../send/signed-exchange.ts";

export interface SettlementRules {
  schedule: readonly number[];
  throttledLimit: number;
  random: () => number;
  wallNow: () => number;
}

export interface Judged {
  verdict: Verdict;
  settlement: Settlement;
  /** How long all its deliveries pause: the receiver asked for it or ended the webhook, or no socket is left. */
  coolDownMs: number;
}

/** Longest wait after an answer of too many requests, unless the receiver asked for more. */
const LONGEST_THROTTLED_MS = 3_600_000;
/** After this many such answers each wait is twice as long. */
const THROTTLED_SHORTLY = 10;

/** Shortest wait after an early attempt, unless the schedule's first wait is shorter. */
const AFTER_EARLY_MS = 5000;

/**
 * How long a webhook that is to be disabled waits until that is stored, and all readers see it. Usually that takes less
 * than a second, and ends the wait. If it is never stored, the receiver is asked again.
 */
export const UNTIL_DISABLED_MS = 600_000;

/** Without it, a delivery that finds no socket would come back at once, thousands of times a second, each time with a log line. */
const NO_SOCKET_MS = 1000;

/**
 * Also the retry after a probe, which tests whether the receiver is back: it must not use up the delivery's own
 * attempts.
 */
export const AT_ONCE: Retry = { kind: "retry", delayMs: 0, counts: false, throttled: false };

/** One for all, because nothing changes it, and most deliveries end with it. */
const DELIVERED: SettlementNext = { kind: "end", state: "delivered", reason: null };

/** Judges one exchange: for the delivery, for its webhook's health, and for the webhook's other deliveries. */
export function judge(
  delivery: QueuedDelivery,
  webhook: Pick<SendableWebhook, "failing" | "state" | "urlMark">,
  result: JudgedResult,
  attempt: AttemptRecord,
  rules: SettlementRules,
): Judged {
  const verdict = judgeAnswer(result);
  const found = retryAfterMs(result.headers, rules.wallNow());
  const asked = found === null ? null : clampRetryAfter(found);
  const next = nextOf(delivery, verdict, asked, rules);
  const settlement = settlementOf(delivery, isOurs(verdict) ? null : attempt, next);
  const badRequest = result.category === null && result.status === 400;
  const health = healthOf(delivery, webhook, verdict, badRequest);
  if (health !== undefined) settlement.health = health;
  return { verdict, settlement, coolDownMs: coolDownOf(delivery, verdict, asked) };
}

export function settlementOf(
  { seq, lease, webhookNo, eventSeq, eventName }: QueuedDelivery,
  attempt: AttemptRecord | null,
  next: SettlementNext,
): Settlement {
  return { seq, lease, webhookNo, eventSeq, eventName, attempt, next };
}

/** True if the end of the request says nothing about the receiver. */
export function isOurs({ next }: Verdict): boolean {
  return next === "release" || next === "lost";
}

/**
 * Uses the requested pause, not this delivery's own delay, which may be a day: the other deliveries have not failed.
 */
function coolDownOf(delivery: QueuedDelivery, verdict: Verdict, asked: number | null): number {
  if (verdict.disableWebhook !== null) return UNTIL_DISABLED_MS;
  if (verdict.outcome === "socket_limit") return NO_SOCKET_MS;
  const refused = verdict.next === "retry" || verdict.next === "throttled";
  return asked !== null && refused && !delivery.probe ? asked : 0;
}

/**
 * The retry after an early attempt, which does not count in the schedule: the delivery keeps its planned time. If that
 * has passed meanwhile, it still waits a little.
 */
function afterEarly(
  asked: number | null,
  { schedule, random }: Pick<SettlementRules, "schedule" | "random">,
): Retry {
  const least = Math.min(nextDelay(schedule, 1, random) ?? 0, AFTER_EARLY_MS);
  const delayMs = Math.max(least, asked ?? 0);
  return { kind: "retry", delayMs, counts: false, throttled: false, early: true };
}

/** Stores the requested pause with the retry, so that no recovery makes it due before its end. */
function asAsked(retry: Retry, asked: number | null): Retry {
  return asked === null ? retry : { ...retry, askedMs: asked };
}

/** Without growth the limit of such answers would be reached in minutes, and the delivery given up. */
function grown(ms: number, throttled: number): number {
  const times = 2 ** Math.max(0, throttled + 1 - THROTTLED_SHORTLY);
  return Math.max(ms, Math.min(Math.max(1, ms) * times, LONGEST_THROTTLED_MS));
}

/** `throttledMs`: the wait after an answer of too many requests, if it is not the schedule's. */
export function nextOf(
  delivery: QueuedDelivery,
  verdict: Verdict,
  asked: number | null,
  rules: SettlementRules,
  throttledMs?: number,
): SettlementNext {
  switch (verdict.next) {
    case "delivered":
      return DELIVERED;
    case "release":
      return { kind: "release" };
    case "lost":
      return { kind: "lost" };
    case "dead":
      return { kind: "end", state: "dead", reason: verdict.outcome };
    case "throttled": {
      if (delivery.probe) return AT_ONCE;
      if (delivery.early) return asAsked(afterEarly(asked, rules), asked);
      if (delivery.throttled + 1 >= rules.throttledLimit) {
        return { kind: "end", state: "dead", reason: "throttled_too_often" };
      }
      const own =
        throttledMs ??
        nextDelay(rules.schedule, delivery.step + 1, rules.random) ??
        rules.schedule.at(-1) ??
        0;
      const delayMs = Math.max(grown(own, delivery.throttled), asked ?? 0);
      return asAsked({ kind: "retry", delayMs, counts: false, throttled: true }, asked);
    }
    case "retry": {
      if (delivery.probe) return AT_ONCE;
      if (delivery.early) return asAsked(afterEarly(asked, rules), asked);
      const own = nextDelay(rules.schedule, delivery.step + 1, rules.random);
      if (own === null) return { kind: "end", state: "dead", reason: "attempts_exhausted" };
      const delayMs = Math.max(own, asked ?? 0);
      return asAsked({ kind: "retry", delayMs, counts: true, throttled: false }, asked);
    }
  }
}

/** A success is stored only if it changes something: most come from healthy webhooks and need no write. */
export function healthOf(
  delivery: QueuedDelivery,
  webhook: Pick<SendableWebhook, "failing" | "state" | "urlMark">,
  verdict: Verdict,
  badRequest = false,
): Settlement["health"] {
  if (verdict.disableWebhook !== null)
    return { kind: "disable", reason: verdict.disableWebhook, urlMark: webhook.urlMark };
  if (verdict.next === "delivered") {
    return webhook.failing || webhook.state === "disabled" || delivery.probe
      ? { kind: "ok" }
      : undefined;
  }
  return badRequest || verdict.countsTowardDisabling ? { kind: "failed", badRequest } : undefined;
}
