import type { Activity } from "@markethook/client";
import type { Point } from "./spans.ts";

type Counts = Pick<Point, "delivered" | "retried" | "givenUp">;

/** "480 delivered, 12 tried again, 1 given up". */
export function countWords({ delivered, retried, givenUp }: Counts): string {
  if (delivered + retried + givenUp === 0) return "nothing sent";
  return [
    `${count(delivered)} delivered`,
    ...(retried === 0 ? [] : [`${count(retried)} tried again`]),
    ...(givenUp === 0 ? [] : [`${count(givenUp)} given up`]),
  ].join(", ");
}

/** "half of the replies within 84 ms, 95% within 310 ms". */
export function replyWords(replyMs: Activity["total"]["replyMs"]): string | null {
  if (replyMs === null) return null;
  return `half of the replies within ${milliseconds(replyMs.p50)}, 95% within ${milliseconds(replyMs.p95)}`;
}

export function count(value: number): string {
  return value.toLocaleString("en");
}

/** The last range of reply times has no end. */
const MOST_MS = 10_000;

export function milliseconds(ms: number): string {
  if (ms >= MOST_MS) return "10 s or more";
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** "18 Nov, 14:00", or the day where steps are days. */
export function stepTime(at: string, stepHours: number): string {
  return new Intl.DateTimeFormat(undefined, {
    day: "numeric",
    month: "short",
    ...(stepHours >= 24 ? {} : { hour: "2-digit", minute: "2-digit" }),
  }).format(Date.parse(at));
}
