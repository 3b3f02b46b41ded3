import { parseDuration } from "@markethook/protocol";

export const DEFAULT_SCHEDULE = "5s,5m,30m,2h,5h,10h,14h,20h,24h";

const MOST_RETRIES = 100;
const JITTER = 0.2;

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
