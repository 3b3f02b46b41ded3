/** The last time that a `Date` can have. */
const MOST_MS = 8.64e15;

/**
 * Points in time in answers are RFC 3339 in UTC with milliseconds, so that they cannot be mistaken for Unix seconds.
 */
export function instant(ms: number): string {
  return new Date(Math.min(Math.max(ms, -MOST_MS), MOST_MS)).toISOString();
}
