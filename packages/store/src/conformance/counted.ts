import { type AttemptCount, hourOf, NO_REPLIES } from "../port/attempt-counts.ts";

/** A good attempt at this time, as it is counted. */
export function counted(
  webhookNo: number,
  at: number,
  change: Partial<AttemptCount> = {},
): AttemptCount {
  const sums = { ok: 1, failed: 0, givenUp: 0, replies: NO_REPLIES };
  const last = { lastAt: at, lastOutcome: "ok", lastStatus: 200, lastOkAt: at, okEvents: 1 };
  return { webhookNo, hour: hourOf(at), ...sums, ...last, ...change };
}
