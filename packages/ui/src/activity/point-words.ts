import type { Activity } from "@markethook/client";
import { formatted } from "../shared/times.ts";
import { milliseconds } from "../words/numbers.ts";
import { words } from "../words/words.ts";
import type { Point } from "./spans.ts";

type Counts = Pick<Point, "delivered" | "retried" | "givenUp">;
type ReplyMs = Activity["total"]["replyMs"];

/** "480 delivered, 12 tried again, 1 given up". */
export function countWords({ delivered, retried, givenUp }: Counts): string {
  if (delivered + retried + givenUp === 0) return words.activity.nothingSent;
  return words.activity.counts(delivered, retried, givenUp);
}

/** "half of the replies within 84 ms, 95% within 310 ms". */
export function replyWords(replyMs: ReplyMs): string | null {
  if (replyMs === null) return null;
  return words.activity.replies(replyTime(replyMs.p50), replyTime(replyMs.p95));
}

/** Above the chart: what came of all attempts, or of those in the chosen range. */
export function sumWords(
  shown: Counts | undefined,
  replyMs: ReplyMs | undefined,
  isChosen: boolean,
): string {
  const { chosen, inAll, inAllAndReplies, loading } = words.activity;
  if (shown === undefined) return loading;
  const counts = countWords(shown);
  if (isChosen) return chosen(counts);
  if (replyMs == null) return inAll(counts);
  return inAllAndReplies(counts, replyTime(replyMs.p50), replyTime(replyMs.p95));
}

/** The last range of reply times has no end. */
const MOST_MS = 10_000;

export function replyTime(ms: number): string {
  return ms >= MOST_MS ? words.activity.orMore("10 s") : milliseconds(ms);
}

/** "18 Nov, 14:00", or the day where steps are days. */
export function stepTime(at: string, stepHours: number): string {
  return formatted(Date.parse(at), {
    day: "numeric",
    month: "short",
    ...(stepHours >= 24 ? {} : { hour: "2-digit", minute: "2-digit" }),
  });
}
