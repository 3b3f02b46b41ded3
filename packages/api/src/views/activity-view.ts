import { type CountRange, type CountSum, NO_REPLIES } from "@markethook/store";
import { instant } from "../request/instant.ts";
import { replyTimes } from "./reply-times.ts";

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
