import { instant } from "@markethook/protocol";
import { type CountRange, type CountSum, NO_REPLIES, REPLY_LIMITS_MS } from "@markethook/store";

const HOUR_MS = 3_600_000;

type Sum = Omit<CountSum, "step">;

const NOTHING: Sum = { ok: 0, failed: 0, givenUp: 0, replies: NO_REPLIES };

export function activityView(range: CountRange, sums: readonly CountSum[]) {
  const byStep = new Map(sums.map((sum) => [sum.step, sum]));
  const begin = (step: number): string =>
    instant((range.firstHour + step * range.stepHours) * HOUR_MS);
  return {
    from: begin(0),
    to: begin(range.steps),
    stepHours: range.stepHours,
    points: Array.from({ length: range.steps }, (_, step) => ({
      at: begin(step),
      ...countsView(byStep.get(step) ?? NOTHING),
    })),
    total: countsView(sums.reduce<Sum>(together, NOTHING)),
  };
}

function countsView({ ok, failed, givenUp, replies }: Sum) {
  return { delivered: ok, retried: failed - givenUp, givenUp, replyMs: replyTimes(replies) };
}

function together(one: Sum, other: Sum): Sum {
  return {
    ok: one.ok + other.ok,
    failed: one.failed + other.failed,
    givenUp: one.givenUp + other.givenUp,
    replies: one.replies.map((count, index) => count + (other.replies[index] ?? 0)),
  };
}

/** Percentiles of the reply times, in milliseconds. Null: there was no reply. */
export function replyTimes(replies: readonly number[]): { p50: number; p95: number } | null {
  const count = replies.reduce((sum, some) => sum + some, 0);
  if (count === 0) return null;
  return { p50: percentile(replies, count * 0.5), p95: percentile(replies, count * 0.95) };
}

/** Assumes that replies of one range are spread evenly over it; the last range counts as its beginning. */
function percentile(replies: readonly number[], rank: number): number {
  let below = 0;
  for (const [index, some] of replies.entries()) {
    if (below + some >= rank && some > 0) {
      const from = REPLY_LIMITS_MS[index - 1] ?? 0;
      const to = REPLY_LIMITS_MS[index] ?? from;
      return Math.round(from + ((to - from) * (rank - below)) / some);
    }
    below += some;
  }
  return REPLY_LIMITS_MS.at(-1) ?? 0;
}
