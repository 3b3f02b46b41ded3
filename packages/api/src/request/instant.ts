/** The last time that a `Date` can have. */
const MOST_MS = 8.64e15;

/**
 * Points in time in answers are RFC 3339 in UTC with milliseconds, so that they cannot be mistaken for Unix seconds.
 */
export function instant(ms: number): string {
  return new Date(Math.min(Math.max(ms, -MOST_MS), MOST_MS)).toISOString();
}

export function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}

/** A range of Unix seconds in milliseconds. */
export function millisecondsOf({ from, to }: { from?: number; to?: number }) {
  return {
    from: from === undefined ? undefined : from * 1000,
    to: to === undefined ? undefined : to * 1000,
  };
}
