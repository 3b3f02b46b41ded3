import type { FastifyRequest } from "fastify";
import { actingOwner, actingStore } from "../auth/actor.ts";
import { operation } from "../document/operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { CheckupView, PingView } from "../schemas/delivery.ts";
import { ref } from "../schemas/fields.ts";
import { ONE_WEBHOOK, PingBody, ResumeBody, SampleBody, WebhookView } from "../schemas/webhook.ts";
import { pingView } from "../views/delivery-view.ts";
import { createWebhookViews } from "../views/webhook-view.ts";

/** Error codes of each route that sends a request while its caller waits. */
const AT_ONCE = [
  "not_found",
  "dry_run",
  "webhook_not_active",
  "overloaded",
  "shutting_down",
] as const;

export function webhookActionRoutes(app: ApiInstance, { deps, limits }: RouteContext): void {
  const views = createWebhookViews(deps);
  const acting = (request: FastifyRequest) => actingStore(deps, request).webhooks;

  app.post(
    "/webhooks/:id/ping",
    operation({
      ...ONE_WEBHOOK,
      id: "pingWebhook",
      limit: "pings",
      summary: "Send the test event, once, now",
      description:
        "Also to paused and disabled webhooks. `secret: next` signs with the secret that is being rotated in. A receiver's bad answer is a 200 here: see `outcome` and `sentence`.",
      scope: "webhooks:write",
      body: PingBody,
      bodyOptional: true,
      answers: { 200: ref(PingView) },
      errors: [...AT_ONCE, "rotation_not_open"],
    }),
    async (request) => {
      const ownerId = actingOwner(request);
      const { secret = "current" } = request.body;
      return pingView(request, await deps.ping(request.params.id, ownerId, secret));
    },
  );

  app.post(
    "/webhooks/:id/sample",
    operation({
      ...ONE_WEBHOOK,
      id: "sendSample",
      limit: "pings",
      summary: "Send an event that did not happen, once, now",
      description:
        "About the webhook's own resource, signed and shaped as a real one, with the header `X-{Service}-Sample: 1`. **The receiver may act on it.** It does not depend on the chosen events or the webhook's state, and is in no log.",
      scope: "webhooks:write",
      body: SampleBody,
      answers: { 200: ref(PingView) },
      errors: [...AT_ONCE, "webhook_is_chat"],
    }),
    async (request) => {
      const ownerId = actingOwner(request);
      const { event, userId = 1, dryRun = false } = request.body;
      const sample = { event, userId, dryRun };
      return pingView(request, await deps.sendSample(request.params.id, ownerId, sample));
    },
  );

  app.post(
    "/webhooks/:id/checkup",
    operation({
      ...ONE_WEBHOOK,
      id: "checkWebhook",
      limit: "checkups",
      summary: "Find out whether its receiver refuses forgeries",
      description:
        "Sends a ping and, where it is accepted, eleven more requests, one after the other, to the address that accepted it: signed ones, forged ones, recorded ones. Each is marked with `X-{Service}-Checkup`, none is an event of a buyer, and only the ping is in the log. Takes as long as the receiver takes for all of them, at most a minute.",
      scope: "webhooks:write",
      answers: { 200: ref(CheckupView) },
      errors: [...AT_ONCE, "webhook_is_chat"],
    }),
    async (request) => {
      const ownerId = actingOwner(request);
      const { ping, ...checkup } = await deps.checkWebhook(request.params.id, ownerId);
      return { ...checkup, ping: pingView(request, ping) };
    },
  );

  app.post(
    "/webhooks/:id/pause",
    operation({
      ...ONE_WEBHOOK,
      id: "pauseWebhook",
      summary: "Hold a webhook's deliveries",
      scope: "webhooks:write",
      answers: { 200: ref(WebhookView) },
      errors: ["not_found", "webhook_not_active"],
    }),
    async (request) =>
      views.one(await acting(request).pause(request.params.id, actingOwner(request))),
  );

  app.post(
    "/webhooks/:id/resume",
    operation({
      ...ONE_WEBHOOK,
      id: "resumeWebhook",
      summary: "Make a paused or disabled webhook active again",
      scope: "webhooks:write",
      body: ResumeBody,
      answers: { 200: ref(WebhookView) },
      errors: ["not_found", "webhook_not_active"],
    }),
    async (request) => {
      const ownerId = actingOwner(request);
      const { held } = request.body;
      if (held === "send") limits.count(ownerId, "bulkActions");
      const webhook = await acting(request).resume(request.params.id, ownerId, held);
      deps.wake();
      return views.one(webhook);
    },
  );
}
