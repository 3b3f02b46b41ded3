/** Seconds to wait as `Retry-After` says, which is a number or a date; null when it says nothing usable. */
export function readRetryAfter(headers: Headers, nowMs: number): number | null {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(value)) return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
  const at = Date.parse(value);
  // The other side's date is of its own clock, so that is what it is compared with, where it is told.
  const from = Date.parse(headers.get("date") ?? "");
  if (!/[a-z]/i.test(value) || Number.isNaN(at)) return null;
  return Math.max(0, Math.ceil((at - (Number.isNaN(from) ? nowMs : from)) / 1000));
}
