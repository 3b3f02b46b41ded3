import { REPLY_LIMITS_MS } from "@markethook/store";

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
