import { actingOwner, actingStore } from "../auth/actor.ts";
import { operation } from "../document/operation.ts";
import { refuseDeliveryInDryRun, refuseInDryRun } from "../input/dry-run.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { ONE_DELIVERY, SendNowAnswer } from "../schemas/delivery.ts";
import { StepsBody } from "../schemas/fields.ts";
import { ONE_WEBHOOK, ReplayAnswer, StopWaitingAnswer } from "../schemas/webhook.ts";

/** Deliveries per request; the caller repeats with the cursor. */
const STEP = 500;
/** Transactions per stopping request. A person waits for it while deliveries go on. */
const STOP_STEPS = 10;

/** Sends waiting deliveries before their time. */
export function earlySendingRoutes(
  app: ApiInstance,
  { deps, cursors, limits }: RouteContext,
): void {
  app.post(
    "/deliveries/:id/send-now",
    operation({
      ...ONE_DELIVERY,
      id: "sendNow",
      summary: "Send a pending delivery now",
      description:
        "Earlier deliveries about the same buyer go first, now too. If the attempt fails, the retry schedule is as it was before.",
      scope: "deliveries:write",
      limit: "sends",
      answers: { 202: SendNowAnswer },
      errors: ["not_found", "delivery_ended", "webhook_not_active", "dry_run"],
    }),
    async (request, reply) => {
      const { id } = request.params;
      const ownerId = actingOwner(request);
      await refuseDeliveryInDryRun(deps, id, ownerId);
      const answer = await actingStore(deps, request).log.sendNow(id, ownerId);
      deps.wake();
      return reply.code(202).send(answer);
    },
  );

  app.post(
    "/webhooks/:id/send-waiting",
    operation({
      ...ONE_WEBHOOK,
      id: "sendWaiting",
      summary: "Send all waiting deliveries now",
      description: `Ask with \`dryRun\` first for the count. Then each request makes at most ${STEP} due; repeat it with the \`cursor\` of the answer until that is null. They are sent in order, within the webhook's limits. If an attempt fails, its delivery's retry schedule is as it was before.`,
      scope: "deliveries:write",
      limit: "steps",
      body: StepsBody,
      bodyOptional: true,
      answers: { 200: ReplayAnswer },
      errors: ["not_found", "webhook_not_active", "cursor_invalid", "dry_run"],
    }),
    async (request) => {
      const { id } = request.params;
      const { dryRun, cursor } = request.body;
      const ownerId = actingOwner(request);
      await deps.store.webhooks.get(id, ownerId);
      if (dryRun === true) return await deps.store.log.countWaiting(id, ownerId);
      await refuseInDryRun(deps, id);
      const binding = { list: "send-waiting", ownerId, filter: [id] };
      const [beganAt = 0, dueAt = 0, seq = 0] =
        cursor === undefined ? [] : cursors.read(binding, cursor).map(Number);
      const from = cursor === undefined ? null : { beganAt, dueAt, seq };
      limits.countStep(ownerId, cursor);
      const step = await actingStore(deps, request).log.sendWaitingStep(id, ownerId, from, STEP);
      if (step.sent > 0) deps.wake();
      const { next } = step;
      return {
        sent: step.sent,
        cursor: next === null ? null : cursors.write(binding, [next.beganAt, next.dueAt, next.seq]),
      };
    },
  );

  app.post(
    "/webhooks/:id/stop-waiting",
    operation({
      ...ONE_WEBHOOK,
      id: "stopWaiting",
      summary: "Stop what was sent before its time",
      description:
        "Deliveries that `send-waiting`, `send-now` or resuming made due wait for their next attempt again. Requests that are already under way go on.",
      scope: "deliveries:write",
      answers: { 200: StopWaitingAnswer },
      errors: ["not_found"],
    }),
    async (request) => {
      const { id } = request.params;
      const ownerId = actingOwner(request);
      await deps.store.webhooks.get(id, ownerId);
      const { log } = actingStore(deps, request);
      let stopped = 0;
      for (let step = 0; step < STOP_STEPS; step += 1) {
        const done = await log.stopWaitingStep(id, ownerId, STEP);
        stopped += done.stopped;
        if (!done.more) return { stopped, more: false };
      }
      return { stopped, more: true };
    },
  );
}
