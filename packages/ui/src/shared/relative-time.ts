const STEPS: readonly [limitSeconds: number, unitSeconds: number, unit: string][] = [
  [90, 1, "s"],
  [90 * 60, 60, "min"],
  [36 * 3600, 3600, "h"],
  [Number.POSITIVE_INFINITY, 86_400, "days"],
];

/** "4 min ago", "in 5 s"; both in milliseconds since 1970. */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.round(Math.abs(now - at) / 1000);
  if (seconds < 5) return at > now ? "in a moment" : "just now";
  const [, size, unit] = STEPS.find(([limit]) => seconds < limit) ?? [0, 86_400, "days"];
  const amount = `${Math.round(seconds / size)} ${unit}`;
  return at > now ? `in ${amount}` : `${amount} ago`;
}

const RFC3339 = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A sentence of the service with its times in the reader's own time zone. */
export function withLocalTimes(sentence: string): string {
  return sentence.replace(RFC3339, (time) => fullTime(Date.parse(time)));
}

/** "18 Nov 2026, 14:03:22" in the reader's own time zone. */
export function fullTime(at: number): string {
  return new Intl.DateTimeFormat(undefined, {
    dateStyle: "medium",
    timeStyle: "medium",
  }).format(at);
}

/** "18 Nov 2026, 14:00", of a time that is not known to the second. */
export function timeToTheMinute(at: number): string {
  return new Intl.DateTimeFormat(undefined, {
    dateStyle: "medium",
    timeStyle: "short",
  }).format(at);
}

/** "18 Nov 2026, 14:03:22 GMT+1", and the same in UTC on a second line; one line where both are the same. */
export function timeInBothZones(at: number, timeZone?: string): string {
  const lines = [timeZone, "UTC"].map((zone) =>
    new Intl.DateTimeFormat(undefined, {
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "numeric",
      minute: "2-digit",
      second: "2-digit",
      timeZoneName: "short",
      ...(zone === undefined ? {} : { timeZone: zone }),
    }).format(at),
  );
  return [...new Set(lines)].join("\n");
}
