export const DEFAULT_SCHEDULE = "5s,5m,30m,2h,5h,10h,14h,20h,24h";

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const LONGEST_MS = 365 * 86_400_000;
const MOST_RETRIES = 100;
const JITTER = 0.2;

/** `15s` as milliseconds. Units: ms, s, m, h, d. Throws a RangeError that names the text. */
export function parseDuration(text: string): number {
  const [, digits = "", unit = ""] = /^(\d{1,12})(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
  const ms = Number(digits) * (UNIT_MS[unit] ?? NaN);
  if (digits === "" || !(ms <= LONGEST_MS)) {
    throw new RangeError(
      `"${text}" is not a duration of at most 365 days: write a whole number and ms, s, m, h or d, e.g. 15s.`,
    );
  }
  return ms;
}

/** A list of waits such as `5s,5m,30m` as milliseconds. Throws a RangeError that says what is wrong. */
export function parseSchedule(text: string): number[] {
  const parts = text.split(",");
  if (text.trim() === "" || parts.length > MOST_RETRIES) {
    throw new RangeError(
      `A retry schedule is 1 to ${MOST_RETRIES} durations with commas between them, e.g. ${DEFAULT_SCHEDULE}.`,
    );
  }
  return parts.map(parseDuration);
}

/**
 * How long to wait after a failure, up to 20 % more or less so that deliveries that failed together do not come
 * back together; null when the schedule is used up.
 */
export function nextDelay(
  schedule: readonly number[],
  /** The one just seen included: 1 after the first attempt. */
  failuresSoFar: number,
  /** From 0 up to 1. */
  random: () => number,
): number | null {
  const wait = schedule[failuresSoFar - 1];
  return wait === undefined ? null : Math.round(wait * (1 - JITTER + 2 * JITTER * random()));
}
