import type {
  AttemptRecord,
  DisableRule,
  HealthSignal,
  QueuedDelivery,
  Retry,
  Settlement,
  SettlementNext,
} from "../port/deliveries.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const RULE: DisableRule = {
  afterMs: 5 * DAY,
  acceptedWithinMs: 30 * DAY,
  attempts: 10,
  events: 2,
  probeAfterMs: MINUTE,
};

/** What becomes of a delivery. */
export const DEAD = { kind: "end", state: "dead", reason: "attempts_exhausted" } as const;
export const DELIVERED = { kind: "end", state: "delivered", reason: null } as const;
export const RELEASE = { kind: "release" } as const;
/** What a failed attempt says of its webhook. */
export const FAILED: HealthSignal = { kind: "failed", badRequest: false };

export function claim(instanceNo: number) {
  return { instanceNo, cursor: 0, webhooks: 1000, perWebhook: 100, hints: [], full: [] };
}

export function retry(delayMs: number, change: Partial<Retry> = {}): Retry {
  return { kind: "retry", delayMs, counts: true, throttled: false, ...change };
}

export function attempt(
  delivery: QueuedDelivery,
  change: Partial<AttemptRecord> = {},
): AttemptRecord {
  return {
    number: delivery.attempts + 1,
    outcome: "ok",
    status: 200,
    detail: JSON.stringify({
      at: 1,
      profile: 1,
      url: "u",
      nonce: "n",
      timestamp: 1,
      signature: "s",
    }),
    ...change,
  };
}

export function settled(
  delivery: QueuedDelivery,
  next: SettlementNext,
  record: Partial<AttemptRecord> | null = {},
  health?: HealthSignal,
): Settlement {
  return {
    seq: delivery.seq,
    lease: delivery.lease,
    webhookNo: delivery.webhookNo,
    eventSeq: delivery.eventSeq,
    eventName: delivery.eventName,
    attempt: record === null ? null : attempt(delivery, record),
    next,
    ...(health === undefined ? {} : { health }),
  };
}

export function delivered(delivery: QueuedDelivery): Settlement {
  return settled(delivery, DELIVERED);
}

export function retried(delivery: QueuedDelivery, delayMs: number): Settlement {
  return settled(delivery, retry(delayMs), { outcome: "http_error", status: 500 });
}

/** An attempt that failed, and is made again after this time. */
export function failed(delivery: QueuedDelivery, delayMs = 0): Settlement {
  return { ...retried(delivery, delayMs), health: FAILED };
}
