import { MarkethookError } from "@markethook/protocol";
import type { ReplayFilter } from "@markethook/store";
import { Type } from "typebox";
import { actingOwner } from "../actor.ts";
import { actingStore } from "../audit-actor.ts";
import { operation } from "../operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { PingView } from "../schemas/delivery.ts";
import { ActingFor, CLOSED, ref } from "../schemas/fields.ts";
import {
  PingBody,
  ReplayAnswer,
  ReplayBody,
  ResumeBody,
  WebhookId,
  WebhookView,
} from "../schemas/webhook.ts";
import { createWebhookViews } from "../webhook-view.ts";

/** Deliveries made by one request; the caller repeats with the cursor, so that nothing is left half done by a crash. */
const REPLAY_STEP = 500;

const common = {
  tag: "webhooks",
  params: Type.Object({ id: WebhookId }, CLOSED),
  query: Type.Object({ ownerId: ActingFor }, CLOSED),
} as const;

export function webhookActionRoutes(app: ApiInstance, { deps, cursors }: RouteContext): void {
  const { webhooks, log } = deps.store;
  const views = createWebhookViews(deps);

  app.post(
    "/webhooks/:id/ping",
    operation({
      ...common,
      id: "pingWebhook",
      summary: "Send the test event, once, now",
      description:
        "Also to paused and disabled webhooks. `secret: next` signs with the secret that is being rotated in. A receiver's bad answer is a 200 here: see `outcome` and `sentence`.",
      scope: "webhooks:write",
      body: PingBody,
      bodyOptional: true,
      answers: { 200: ref(PingView) },
      errors: ["not_found", "rotation_not_open", "sending_held", "overloaded", "shutting_down"],
    }),
    async (request) =>
      deps.ping(
        request.params.id,
        actingOwner(request, request.query.ownerId),
        request.body.secret ?? "current",
      ),
  );

  app.post(
    "/webhooks/:id/pause",
    operation({
      ...common,
      id: "pauseWebhook",
      summary: "Hold a webhook's deliveries",
      scope: "webhooks:write",
      answers: { 200: ref(WebhookView) },
      errors: ["not_found", "webhook_not_active"],
    }),
    async (request) =>
      views.one(
        await actingStore(deps, request).webhooks.pause(
          request.params.id,
          actingOwner(request, request.query.ownerId),
        ),
      ),
  );

  app.post(
    "/webhooks/:id/resume",
    operation({
      ...common,
      id: "resumeWebhook",
      summary: "Make a paused or disabled webhook active again",
      scope: "webhooks:write",
      body: ResumeBody,
      answers: { 200: ref(WebhookView) },
      errors: ["not_found", "webhook_not_active"],
    }),
    async (request) => {
      const webhook = await actingStore(deps, request).webhooks.resume(
        request.params.id,
        actingOwner(request, request.query.ownerId),
        request.body.held,
      );
      deps.wake();
      return views.one(webhook);
    },
  );

  app.post(
    "/webhooks/:id/replay",
    operation({
      ...common,
      id: "replayWebhook",
      summary: "Send a range of ended deliveries again",
      description: `Ask with \`dryRun\` first for the count. Then each request sends at most ${REPLAY_STEP}; repeat it with the \`cursor\` of the answer until that is null. Deduplicating receivers ignore what they had.`,
      scope: "deliveries:write",
      body: ReplayBody,
      answers: { 200: ReplayAnswer },
      errors: ["not_found", "cursor_invalid"],
    }),
    async (request) => {
      const { from, to, states, events, dryRun, cursor } = request.body;
      const webhookId = request.params.id;
      const ownerId = actingOwner(request, request.query.ownerId);
      if (to <= from) {
        throw new MarkethookError("field_invalid", {
          detail: "The range ends before it begins.",
          pointer: "/to",
        });
      }
      await webhooks.get(webhookId, ownerId);
      const binding = {
        list: "replay",
        ownerId,
        filter: [webhookId, from, to, states ?? null, events ?? null],
      };
      // A range that reaches into the future must not meet the deliveries that the replay itself made.
      const [afterSeq, until] =
        cursor === undefined
          ? [0, Math.min(to * 1000, deps.nowMs())]
          : cursors.open(binding, cursor).map(Number);
      const filter: ReplayFilter = {
        webhookId,
        ownerId,
        from: from * 1000,
        to: until ?? 0,
        states: states ?? ["dead"],
        ...(events === undefined ? {} : { events }),
      };
      if (dryRun === true) return log.countReplay(filter);
      const step = await actingStore(deps, request).log.replayStep(
        filter,
        afterSeq ?? 0,
        REPLAY_STEP,
      );
      if (step.sent > 0) deps.wake();
      return {
        sent: step.sent,
        cursor: step.nextSeq === null ? null : cursors.seal(binding, [step.nextSeq, filter.to]),
      };
    },
  );
}
