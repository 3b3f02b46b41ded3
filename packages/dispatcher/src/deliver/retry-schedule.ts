import { parseDuration } from "@markethook/protocol";

export const DEFAULT_SCHEDULE = "5s,5m,30m,2h,5h,10h,14h,20h,24h";

const MOST_RETRIES = 100;
const JITTER = 0.2;

/** Parses a list of waits such as `5s,5m,30m` into milliseconds. Throws a RangeError that says what is wrong. */
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
 * Returns how long to wait after a failure, plus or minus up to 20 %, so that deliveries that failed together do not
 * return together. Null: the schedule is used up.
 */
export function nextDelay(
  schedule: readonly number[],
  /** Counts the last failure too: 1 after the first attempt. */
  failuresSoFar: number,
  /** Returns a number from 0 up to 1. */
  random: () => number,
): number | null {
  const wait = schedule[failuresSoFar - 1];
  return wait === undefined ? null : Math.round(wait * (1 - JITTER + 2 * JITTER * random()));
}
