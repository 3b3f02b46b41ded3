import { type AttemptCount, NO_REPLIES, REPLY_LIMITS_MS } from "../port/attempt-counts.ts";

/** No webhook has this number. Its counts are the sums over all webhooks. */
export const ALL_WEBHOOKS = 0;

/** Returns the additions to the sums over all webhooks, one for each hour. */
export function totalsOf(counts: readonly AttemptCount[]): AttemptCount[] {
  return [...Map.groupBy(counts, ({ hour }) => hour)].map(([hour, some]) => {
    const sum = (of: (count: AttemptCount) => number): number =>
      some.reduce((total, count) => total + of(count), 0);
    return {
      webhookNo: ALL_WEBHOOKS,
      hour,
      ok: sum(({ ok }) => ok),
      failed: sum(({ failed }) => failed),
      givenUp: sum(({ givenUp }) => givenUp),
      replies: NO_REPLIES.map((_, index) => sum(({ replies }) => replies[index] ?? 0)),
      lastAt: Math.max(...some.map(({ lastAt }) => lastAt)),
      lastOutcome: "",
      lastStatus: null,
      lastOkAt: 0,
      okEvents: 0,
    };
  });
}

export type ReplyColumn = `replies_${(typeof REPLY_LIMITS_MS)[number]}` | "replies_slower";

/** The columns that hold `AttemptCount.replies`, in the same order. */
export const REPLY_COLUMNS: readonly ReplyColumn[] = [
  ...REPLY_LIMITS_MS.map((limit) => `replies_${limit}` as const),
  "replies_slower",
];
