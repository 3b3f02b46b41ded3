/**
 * Points in time in answers are RFC 3339 in UTC with milliseconds, so that they cannot be mistaken for Unix seconds.
 */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}

export function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}
