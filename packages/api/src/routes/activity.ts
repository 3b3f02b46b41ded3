import { instant, MarkethookError } from "@markethook/protocol";
import {
  type CountRange,
  type CountSum,
  HISTORY_HOURS,
  hourOf,
  NO_REPLIES,
  REPLY_LIMITS_MS,
} from "@markethook/store";
import type { Static } from "typebox";
import { actingOwner, actingResource } from "../auth/actor.ts";
import { operation } from "../document/operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { ActivityAnswer, ActivityQuery } from "../schemas/activity.ts";

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

export function activityRoutes(app: ApiInstance, { deps }: RouteContext): void {
  const { webhooks } = deps.store;

  app.get(
    "/activity",
    operation({
      id: "getActivity",
      summary: "What was sent, hour by hour, and how long replies took",
      description: `Of one webhook, a resource, an owner, or the whole service, over ${HISTORY_HOURS / 24} days at most. An attempt counts in the hour in which it ended, some seconds later. Read from counts, so that it costs the same however many deliveries there are.`,
      tag: "deliveries",
      scope: "deliveries:read",
      query: ActivityQuery,
      answers: { 200: ActivityAnswer },
      errors: ["not_found", "resource_id_invalid"],
    }),
    async (request) => {
      const { query } = request;
      const ownerId = actingOwner(request);
      const resourceId = actingResource(request, query.resourceId) ?? null;
      const range = rangeOf(query, deps.nowSeconds());
      let webhookNo: number | null = null;
      if (query.webhookId !== undefined) {
        const webhook = await webhooks.get(query.webhookId, ownerId);
        if (resourceId !== null && webhook.resourceId !== resourceId)
          throw new MarkethookError("not_found");
        webhookNo = webhook.no;
      }
      const scope = { webhookNo, ownerId, resourceId };
      return activityView(range, await deps.attemptCounts.sums(scope, range));
    },
  );
}

function rangeOf(query: Static<typeof ActivityQuery>, nowSeconds: number): CountRange {
  const { to = nowSeconds + 1, stepHours = 1 } = query;
  const { from = Math.max(0, to - DAY_S) } = query;
  const firstHour = hourOf(from * 1000);
  const hours = Math.ceil(to / HOUR_S) - firstHour;
  if (to <= from || hours > HISTORY_HOURS + 1) {
    throw new MarkethookError("parameter_invalid", {
      detail: `A range has to end after it begins, and to be at most ${HISTORY_HOURS / 24} days long.`,
      pointer: "to",
    });
  }
  return { firstHour, stepHours, steps: Math.ceil(hours / stepHours) };
}

type Sum = Omit<CountSum, "step">;

const NOTHING: Sum = { ok: 0, failed: 0, givenUp: 0, replies: NO_REPLIES };

function activityView(range: CountRange, sums: readonly CountSum[]) {
  const byStep = new Map(sums.map((sum) => [sum.step, sum]));
  const begin = (step: number): string =>
    instant((range.firstHour + step * range.stepHours) * HOUR_S * 1000);
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
