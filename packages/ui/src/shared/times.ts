import { dateFormat, relativeTimeFormat } from "../words/formatters.ts";
import { words } from "../words/first-words.ts";
import { useSyncExternalStore } from "react";

const STEPS: readonly [
  limitSeconds: number,
  unitSeconds: number,
  unit: Intl.RelativeTimeFormatUnit,
][] = [
  [90, 1, "second"],
  [90 * 60, 60, "minute"],
  [36 * 3600, 3600, "hour"],
  [Number.POSITIVE_INFINITY, 86_400, "day"],
];

/**
 * "4 min. ago", or "in 5 sec." of a time that is `ahead`; both in milliseconds since 1970. `now` may lag a few seconds, and
 * the reader's clock differ from the service's: what has happened is never said to be still to come, nor the reverse.
 */
export function relativeTime(at: number, now: number, ahead = false): string {
  const seconds = Math.round(Math.max(0, ahead ? at - now : now - at) / 1000);
  if (seconds < 5) return ahead ? words.shared.inAMoment : words.shared.justNow;
  const [, size, unit] = STEPS.find(([limit]) => seconds < limit) ?? [0, 86_400, "day"];
  const amount = Math.round(seconds / size);
  return relativeTimeFormat({ style: "short" }).format(ahead ? amount : -amount, unit);
}

const RFC3339 = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A sentence of the service with its times in the reader's own time zone. */
export function withLocalTimes(sentence: string): string {
  return sentence.replace(RFC3339, (time) => fullTime(Date.parse(time)));
}

/** "18 Nov 2026, 14:03:22" in the reader's own time zone. */
export function fullTime(at: number): string {
  return formatted(at, { dateStyle: "medium", timeStyle: "medium" });
}

/** "18 Nov 2026, 14:00", of a time that is not known to the second. */
export function timeToTheMinute(at: number): string {
  return formatted(at, { dateStyle: "medium", timeStyle: "short" });
}

/** "18 Nov 2026, 14:03:22 GMT+1", and the same in UTC on a second line; one line where both are the same. */
export function timeInBothZones(at: number, timeZone?: string): string {
  const lines = [timeZone, "UTC"].map((zone) =>
    formatted(at, {
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "numeric",
      minute: "2-digit",
      second: "2-digit",
      timeZoneName: "short",
      ...(zone === undefined ? {} : { timeZone: zone }),
    }),
  );
  return [...new Set(lines)].join("\n");
}

/** In the page's language, and in the reader's own time zone unless the options name one. */
export function formatted(at: number, options: Intl.DateTimeFormatOptions): string {
  return dateFormat(options).format(at);
}

/**
 * Unix seconds of what a field for date and time holds, in the reader's time zone; undefined when it is empty, or a time that
 * nothing has: on the way to the year 2026 one types the years 2, 20 and 202.
 */
export function readLocalTime(text: string): number | undefined {
  const at = Date.parse(text);
  return at >= 0 && at <= LATEST ? Math.floor(at / 1000) : undefined;
}

/** The end of the year 9999. */
const LATEST = 253_402_300_799_000;

/** The text of such a field for Unix seconds. */
export function writeLocalTime(seconds: number | undefined): string {
  if (seconds === undefined) return "";
  const at = new Date(seconds * 1000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** How far this machine's clock is ahead of the service's. */
let aheadMs = 0;
/** When this page's own count of time began, by the machine's clock when it was compared last. */
let comparedAt: number | null = null;
/** The page's count and the clock differ by more only after a correction of the clock, or after sleep. */
const CORRECTION_MS = 5000;

/** From an answer that tells it: from the first one, and again when the machine's clock was corrected. */
export function learnServiceTime(at: number): void {
  const beganAt = Date.now() - performance.now();
  if (comparedAt !== null && Math.abs(beganAt - comparedAt) < CORRECTION_MS) return;
  comparedAt = beganAt;
  aheadMs = Date.now() - at;
  tick();
}

/** The service's time in milliseconds, to a second or two: this machine's clock may be wrong by a day. */
export function serviceNow(): number {
  return Date.now() - aheadMs;
}

const TICK_MS = 5000;
const listeners = new Set<() => void>();
let now = serviceNow();
let timer: ReturnType<typeof setInterval> | null = null;

/** The service's time in milliseconds, in steps of five seconds, or of `stepMs` if that is longer. One timer serves all callers. */
export function useNow(stepMs = 1): number {
  return useSyncExternalStore(subscribe, () => now - (now % stepMs));
}

function tick(): void {
  now = serviceNow();
  for (const tell of listeners) tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = serviceNow();
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}
