import { instant } from "@markethook/protocol";
import type { DisableRule, HealthSignal } from "../port/deliveries.ts";
import type { NoticeKind } from "../port/administration.ts";

/** A webhook's run of failures, as stored. Times in milliseconds by the database's clock. */
export interface HealthRow {
  failingSince: number | null;
  failedAttempts: number;
  firstFailedEvent: number | null;
  severalEvents: boolean;
  /** The event name of a run of failures that consists of answers 400 to this name alone. */
  badRequestKind: number | null;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  warnedAt: number | null;
}

export interface HealthState {
  state: "active" | "paused" | "disabled";
  reason: string | null;
}

export interface HealthEvent {
  signal: HealthSignal;
  eventSeq: number;
  kind: number;
}

export interface HealthOutcome {
  health: HealthRow;
  state: HealthState;
  stateChanged: boolean;
  /** A success ended a run of failures, and none began since. */
  endedFailing: boolean;
  notices: { kind: NoticeKind; detail: Record<string, string | number | null> }[];
}

/** Facts that decide besides the failures themselves. */
export interface HealthRule extends DisableRule {
  /**
   * Whether the webhook has lately accepted an event name other than `badRequestKind`. Null: not looked up, because
   * there was no such run of failures before.
   */
  acceptsOthers: boolean | null;
}

export const HEALTHY: HealthRow = {
  failingSince: null,
  failedAttempts: 0,
  firstFailedEvent: null,
  severalEvents: false,
  badRequestKind: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  warnedAt: null,
};

/** A webhook that is disabled for failing is still probed. */
export function isFinal({ state, reason }: HealthState): boolean {
  return state === "disabled" && reason !== "failing";
}

/** How long a run of failures lasts before its owner is warned, at half of the time to its end. */
export function warningAfterMs({ afterMs }: DisableRule): number {
  return Math.ceil(afterMs / 2);
}

/**
 * active --(failing long, often, with several events)--> disabled: failing --(a probe succeeds)--> active
 * active | paused --(410, or the receiver asks)--> disabled: gone, receiver_request; never probed
 * active | paused --(a chat platform says that the address is of no use)--> disabled: chat_…; never probed
 *
 * A webhook that answers 400 to one event name and has accepted another counts as failing, and its owner is told. But
 * it is not disabled: the receiver refuses that event, not us. If it answers 400 to everything, the cause may also be a
 * wrong secret.
 */
export function applyHealth(
  before: HealthRow,
  stateBefore: HealthState,
  events: readonly HealthEvent[],
  rule: HealthRule,
  now: number,
): HealthOutcome {
  let health = { ...before };
  let state = { ...stateBefore };
  const notices: HealthOutcome["notices"] = [];
  let endedFailing = false;
  for (const { signal, eventSeq, kind } of events) {
    if (signal.kind === "ok") {
      const recovered = state.state === "disabled" && state.reason === "failing";
      if (recovered) state = { state: "active", reason: null };
      if (recovered || health.warnedAt !== null) {
        notices.push({
          kind: "webhook_recovered",
          detail: { failingSince: told(health.failingSince) },
        });
      }
      if (health.failingSince !== null) endedFailing = true;
      health = { ...HEALTHY, lastSuccessAt: now, lastFailureAt: health.lastFailureAt };
    } else if (signal.kind === "disable" || signal.kind === "disable_chat") {
      if (isFinal(state)) continue;
      state = { state: "disabled", reason: signal.reason };
      notices.push({ kind: "webhook_disabled", detail: { reason: signal.reason } });
    } else {
      endedFailing = false;
      health.lastFailureAt = now;
      const goesOn = health.failingSince === null || health.badRequestKind === kind;
      health.badRequestKind = signal.badRequest && goesOn ? kind : null;
      health.failingSince ??= now;
      health.failedAttempts += 1;
      health.firstFailedEvent ??= eventSeq;
      health.severalEvents ||= health.firstFailedEvent !== eventSeq;
      judge();
    }
  }
  const stateChanged = state.state !== stateBefore.state || state.reason !== stateBefore.reason;
  return { health, state, stateChanged, endedFailing, notices };

  function judge(): void {
    const failingMs = now - (health.failingSince ?? now);
    const often = health.failedAttempts >= rule.attempts;
    const several = rule.events <= 1 || health.severalEvents;
    const spared = health.badRequestKind !== null && rule.acceptsOthers !== false;
    if (state.state === "active" && failingMs >= rule.afterMs && often && several && !spared) {
      state = { state: "disabled", reason: "failing" };
      notices.push({
        kind: "webhook_disabled",
        detail: {
          reason: "failing",
          failingSince: told(health.failingSince),
          attempts: health.failedAttempts,
        },
      });
    } else if (
      state.state === "active" &&
      health.warnedAt === null &&
      failingMs >= warningAfterMs(rule)
    ) {
      health.warnedAt = now;
      notices.push({
        kind: "webhook_failing",
        detail: {
          failingSince: told(health.failingSince),
          disabledFrom: spared ? null : instant((health.failingSince ?? now) + rule.afterMs),
        },
      });
    }
  }
}

/** A time as notices have it. */
function told(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}
