import { UnreachableError } from "./errors.ts";

export interface RetrySettings {
  /** Tries after the first. */
  retries: number;
  /** Before the second try; doubled each time, up to the longest wait. */
  backoffMs: number;
  /** The longest wait between two tries. Where `Retry-After` asks for more, the error is given at once. */
  maxWaitMs: number;
}

/** The result of a try: an answer, or why there is none. */
export type Outcome = { response: Response } | { failure: UnreachableError };

/** The service did nothing: it has too many requests, or this one did not arrive whole in time, as from a busy process. */
const REFUSED_UNREAD: ReadonlySet<number> = new Set([408, 429]);
const BUSY: ReadonlySet<number> = new Set([...REFUSED_UNREAD, 502, 503, 504]);
const REPEATABLE: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE"]);

/** Whether the service, or a proxy before it, says by this status that it cannot answer now. */
export function isBusy(status: number): boolean {
  return BUSY.has(status);
}

/** Whether the try may have done what it asked for, although it is repeated. */
export function mayBeDone(outcome: Outcome): boolean {
  return "response" in outcome
    ? !REFUSED_UNREAD.has(outcome.response.status)
    : outcome.failure.mayHaveArrived;
}

/** Whether doing it twice is the same as doing it once. */
export function isRepeatable(request: Request): boolean {
  return REPEATABLE.has(request.method) || request.headers.has("idempotency-key");
}

/**
 * Milliseconds until the next try, or null for no further one. A request that may have been done already is repeated
 * only where that is harmless.
 */
export function waitBeforeRetry(
  outcome: Outcome,
  triesSoFar: number,
  repeatable: boolean,
  settings: RetrySettings,
  random: number,
  nowMs: number,
): number | null {
  // Not the other way round: a number that is none means no further try.
  if (!(triesSoFar <= settings.retries)) return null;
  const backoff = Math.min(settings.maxWaitMs, settings.backoffMs * 2 ** (triesSoFar - 1));
  const delay = backoff * (0.5 + random / 2);
  if ("failure" in outcome) {
    const { reason, mayHaveArrived } = outcome.failure;
    // A certificate does not get better by waiting.
    if (reason === "tls" || (mayHaveArrived && !repeatable)) return null;
    return delay;
  }
  if (!repeatable || !isBusy(outcome.response.status)) return null;
  const asked = readRetryAfter(outcome.response.headers, nowMs);
  if (asked === null) return delay;
  if (asked * 1000 > settings.maxWaitMs) return null;
  // Clients that were refused at the same moment would otherwise come back at the same moment.
  return asked * 1000 + delay - backoff / 2;
}

/** Seconds to wait as `Retry-After` says, which is a number or a date; null when it says nothing usable. */
export function readRetryAfter(headers: Headers, nowMs: number): number | null {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(value)) return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
  const at = Date.parse(value);
  // The date is by the service's clock, so it is compared with the answer's `Date`, if there is one.
  const from = Date.parse(headers.get("date") ?? "");
  if (!/[a-z]/i.test(value) || Number.isNaN(at)) return null;
  return Math.max(0, Math.ceil((at - (Number.isNaN(from) ? nowMs : from)) / 1000));
}
