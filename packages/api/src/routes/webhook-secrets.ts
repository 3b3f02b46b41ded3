import { MarkethookError } from "@markethook/protocol";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { actingOwner, actingStore, refuseBlindSession } from "../auth/actor.ts";
import { operation } from "../document/operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { nullable, ref } from "../schemas/fields.ts";
import { ONE_WEBHOOK, RotateBody, WebhookView } from "../schemas/webhook.ts";
import { chooseSecret, requireSigned } from "../input/webhook-input.ts";
import { createWebhookViews } from "../views/webhook-view.ts";

const OVERLAP_SECONDS = 86_400;

export function webhookSecretRoutes(app: ApiInstance, { deps }: RouteContext): void {
  const { webhooks } = deps.store;
  const views = createWebhookViews(deps);
  const acting = (request: FastifyRequest) => actingStore(deps, request).webhooks;

  app.get(
    "/webhooks/:id/secret",
    operation({
      ...ONE_WEBHOOK,
      id: "revealSecret",
      summary: "The secret of a webhook",
      scope: "secrets:read",
      answers: {
        200: Type.Object({
          current: Type.String(),
          next: nullable(Type.String({ description: "While a rotation is open" })),
        }),
      },
      errors: ["not_found", "webhook_is_chat"],
    }),
    async (request, reply) => {
      const ownerId = actingOwner(request);
      requireSigned(await webhooks.get(request.params.id, ownerId));
      reply.header("cache-control", "no-store");
      return acting(request).revealSecrets(request.params.id, ownerId);
    },
  );

  app.get(
    "/webhooks/:id/url",
    operation({
      ...ONE_WEBHOOK,
      id: "revealUrl",
      summary: "The whole URL of a webhook",
      description:
        "Anyone who has it can send to the receiver, or post in the chat. As with the secret, the audit log tells who has asked.",
      scope: "secrets:read",
      answers: { 200: Type.Object({ url: Type.String() }) },
      errors: ["not_found"],
    }),
    async (request, reply) => {
      const ownerId = actingOwner(request);
      reply.header("cache-control", "no-store");
      return { url: await acting(request).revealUrl(request.params.id, ownerId) };
    },
  );

  app.post(
    "/webhooks/:id/secret/rotate",
    operation({
      ...ONE_WEBHOOK,
      id: "rotateSecret",
      summary: "Give a webhook a new secret",
      description:
        "`overlap`: the old secret goes on signing and the new one signs next to it, so that the receiver can change over without losing a request. `switch_now`: the old one has leaked and ends here.",
      scope: "webhooks:write",
      body: RotateBody,
      bodyOptional: true,
      answers: {
        200: Type.Object({ webhook: ref(WebhookView), secret: Type.String() }),
      },
      errors: ["not_found", "webhook_is_chat", "secret_invalid", "rotation_open"],
    }),
    async (request, reply) => {
      refuseBlindSession(request);
      const { mode, overlapSeconds, secret: imported } = request.body;
      const overlap = overlapSeconds === undefined ? OVERLAP_SECONDS : overlapSeconds;
      const ownerId = actingOwner(request);
      const secret = chooseSecret(deps, request, imported);
      if (mode === "switch_now" && overlapSeconds !== undefined) {
        throw new MarkethookError("field_invalid", {
          detail: "A switch now has no overlap.",
          pointer: "/overlapSeconds",
        });
      }
      requireSigned(await webhooks.get(request.params.id, ownerId));
      const webhook = await acting(request).rotate(
        request.params.id,
        ownerId,
        mode === "switch_now"
          ? { secret, mode }
          : { secret, mode: "overlap", overlapSeconds: overlap },
      );
      reply.header("cache-control", "no-store");
      return { webhook: await views.one(webhook), secret };
    },
  );

  app.post(
    "/webhooks/:id/secret/switch",
    operation({
      ...ONE_WEBHOOK,
      id: "switchSecret",
      summary: "End an open rotation with the new secret alone",
      scope: "webhooks:write",
      answers: { 200: ref(WebhookView) },
      errors: ["not_found", "rotation_not_open"],
    }),
    async (request) =>
      views.one(await acting(request).switchSecret(request.params.id, actingOwner(request))),
  );

  app.delete(
    "/webhooks/:id/secret/rotation",
    operation({
      ...ONE_WEBHOOK,
      id: "cancelRotation",
      summary: "End an open rotation with the old secret alone",
      scope: "webhooks:write",
      answers: { 200: ref(WebhookView) },
      errors: ["not_found", "rotation_not_open"],
    }),
    async (request) =>
      views.one(await acting(request).cancelRotation(request.params.id, actingOwner(request))),
  );
}
