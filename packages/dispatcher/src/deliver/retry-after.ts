const DAY_MS = 86_400_000;
/**
 * The only date format that RFC 9110 allows senders. The two older ones are ambiguous about the century or the zone.
 */
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Returns how long `Retry-After` asks to wait. Null: there is none, or it cannot be relied on. */
export function retryAfterMs(
  headers: readonly [string, string][],
  /** Unix milliseconds, for dates. */
  wallNowMs: number,
): number | null {
  let found: string | null = null;
  for (const [name, value] of headers) {
    if (name.length !== 11 || name.toLowerCase() !== "retry-after") continue;
    if (found !== null && found !== value) return null;
    found = value;
  }
  if (found === null) return null;
  if (/^\d+$/.test(found)) return Math.min(Number(found) * 1000, Number.MAX_SAFE_INTEGER);
  const at = HTTP_DATE.test(found) ? Date.parse(found) : NaN;
  return at >= wallNowMs ? at - wallNowMs : null;
}

/** Limits the wait to a day. */
export function clampRetryAfter(ms: number): number {
  return Math.min(ms, DAY_MS);
}
