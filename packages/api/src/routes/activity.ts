import { MarkethookError } from "@markethook/protocol";
import { type CountRange, HISTORY_HOURS, hourOf } from "@markethook/store";
import type { Static } from "typebox";
import { actingOwner, actingResource } from "../auth/actor.ts";
import { operation } from "../document/operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { ActivityAnswer, ActivityQuery } from "../schemas/activity.ts";
import { activityView } from "../views/activity-view.ts";

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
