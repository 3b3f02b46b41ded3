import { REPLY_LIMITS_MS } from "../port/attempt-counts.ts";

export type ReplyColumn = `replies_${(typeof REPLY_LIMITS_MS)[number]}` | "replies_slower";

/** The columns that hold `AttemptCount.replies`, in the same order. */
export const REPLY_COLUMNS: readonly ReplyColumn[] = [
  ...REPLY_LIMITS_MS.map((limit) => `replies_${limit}` as const),
  "replies_slower",
];
