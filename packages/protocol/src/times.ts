const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const LONGEST_MS = 365 * 86_400_000;

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

/** The last time that a `Date` can have. */
const MOST_MS = 8.64e15;

/**
 * Points in time in answers are RFC 3339 in UTC with milliseconds, so that they cannot be mistaken for Unix seconds.
 */
export function instant(ms: number): string {
  return new Date(Math.min(Math.max(ms, -MOST_MS), MOST_MS)).toISOString();
}
