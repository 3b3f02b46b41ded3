import {
  errorEntry,
  type ErrorCode,
  isMarkethookError,
  makeRandomId,
  makeSecret,
  MarkethookError,
  WEBHOOK_ID_PREFIX,
} from "@markethook/protocol";
import type { Webhook, WebhookChange } from "@markethook/store";
import { Type, type Static } from "typebox";
import { actingOwner, actingResource, actorOf } from "../actor.ts";
import { operation } from "../operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import {
  AbsentableResourceId,
  ActingFor,
  CLOSED,
  code,
  Cursor,
  limit,
  NextCursor,
  ref,
} from "../schemas/fields.ts";
import {
  ChangedWebhookView,
  CopyBody,
  CopyResult,
  NewWebhookView,
  WebhookBody,
  WebhookChangeBody,
  WebhookId,
  WebhookView,
} from "../schemas/webhook.ts";
import { chooseSecret, judgeUrl } from "../webhook-input.ts";
import { createWebhookViews } from "../webhook-view.ts";

const OneWebhook = Type.Object({ id: WebhookId }, CLOSED);
const OfResource = Type.Object(
  { id: Type.String({ ...AbsentableResourceId, ...code("resource_unknown") }) },
  CLOSED,
);
const OwnerQuery = Type.Object({ ownerId: ActingFor }, CLOSED);
const page = { ownerId: ActingFor, limit: limit(50), cursor: Cursor };
const WebhookList = Type.Object({ items: Type.Array(ref(WebhookView)), nextCursor: NextCursor });

export function webhookRoutes(app: ApiInstance, { deps, cursors }: RouteContext): void {
  const { webhooks, resources } = deps.store;
  const views = createWebhookViews(deps);

  async function listPage(
    ownerId: string | null,
    resourceId: string | undefined,
    query: { limit?: number; cursor?: string },
  ) {
    const binding = { list: "webhooks", ownerId, filter: resourceId ?? null };
    const size = query.limit ?? 50;
    const afterNo =
      query.cursor === undefined ? undefined : Number(cursors.open(binding, query.cursor)[0]);
    const items = await webhooks.list({
      ownerId,
      limit: size,
      ...(resourceId === undefined ? {} : { resourceId }),
      ...(afterNo === undefined ? {} : { afterNo }),
    });
    const last = items.length < size ? undefined : items.at(-1);
    return {
      items: await views.many(items),
      nextCursor: last === undefined ? null : cursors.seal(binding, [last.no]),
    };
  }

  app.post(
    "/resources/:id/webhooks",
    operation({
      id: "createWebhook",
      summary: "Add a webhook to a resource",
      description: "The secret is in the answer; requests are signed with it.",
      tag: "webhooks",
      scope: "webhooks:write",
      params: OfResource,
      query: OwnerQuery,
      body: WebhookBody,
      answers: { 201: ref(NewWebhookView) },
      errors: [
        "resource_unknown",
        "url_invalid",
        "target_blocked",
        "secret_invalid",
        "webhook_limit_reached",
      ],
    }),
    async (request, reply) => {
      const ownerId = actingOwner(request, request.query.ownerId);
      const { url, events, description, secret: imported } = request.body;
      const secret = chooseSecret(deps, request, imported);
      // Before the URL is judged, so that nobody without a resource makes us look up names.
      const resource = await resources.find(request.params.id);
      if (resource === null || (ownerId !== null && resource.ownerId !== ownerId)) {
        throw new MarkethookError("resource_unknown");
      }
      const remarks = await judgeUrl(deps, url);
      const webhook = await webhooks.create(
        {
          id: makeRandomId(WEBHOOK_ID_PREFIX, deps.randomBytes),
          resourceId: resource.id,
          url,
          format: "json",
          events: events ?? null,
          description: description ?? "",
          secret,
        },
        ownerId,
      );
      return reply.code(201).send({ ...(await views.one(webhook)), secret, remarks });
    },
  );

  app.get(
    "/resources/:id/webhooks",
    operation({
      id: "listResourceWebhooks",
      summary: "The webhooks of a resource, newest first",
      tag: "webhooks",
      scope: "webhooks:read",
      params: OfResource,
      query: Type.Object(page, CLOSED),
      answers: { 200: WebhookList },
      errors: ["resource_unknown", "cursor_invalid"],
    }),
    async (request) => {
      const ownerId = actingOwner(request, request.query.ownerId);
      const resource = await resources.find(request.params.id);
      if (resource === null || (ownerId !== null && resource.ownerId !== ownerId)) {
        throw new MarkethookError("resource_unknown");
      }
      return listPage(ownerId, resource.id, request.query);
    },
  );

  app.get(
    "/webhooks",
    operation({
      id: "listWebhooks",
      summary: "Webhooks, newest first",
      tag: "webhooks",
      scope: "webhooks:read",
      query: Type.Object({ ...page, resourceId: Type.Optional(AbsentableResourceId) }, CLOSED),
      answers: { 200: WebhookList },
      errors: ["cursor_invalid"],
    }),
    async (request) =>
      listPage(
        actingOwner(request, request.query.ownerId),
        actingResource(request, request.query.resourceId),
        request.query,
      ),
  );

  app.get(
    "/webhooks/:id",
    operation({
      id: "getWebhook",
      summary: "One webhook, without its secret",
      tag: "webhooks",
      scope: "webhooks:read",
      params: OneWebhook,
      query: OwnerQuery,
      answers: { 200: ref(WebhookView) },
      errors: ["not_found"],
    }),
    async (request) =>
      views.one(await webhooks.get(request.params.id, actingOwner(request, request.query.ownerId))),
  );

  app.patch(
    "/webhooks/:id",
    operation({
      id: "changeWebhook",
      summary: "Change a webhook's URL, events or description",
      description: "What is left out stays. Deliveries not yet sent go to the new URL.",
      tag: "webhooks",
      scope: "webhooks:write",
      params: OneWebhook,
      query: OwnerQuery,
      body: WebhookChangeBody,
      answers: { 200: ref(ChangedWebhookView) },
      errors: ["not_found", "url_invalid", "target_blocked"],
    }),
    async (request) => {
      const { id } = request.params;
      const ownerId = actingOwner(request, request.query.ownerId);
      const { url, events, description } = request.body;
      let remarks: string[] = [];
      if (url !== undefined) {
        await webhooks.get(id, ownerId);
        remarks = await judgeUrl(deps, url);
      }
      const change: WebhookChange = {
        ...(url === undefined ? {} : { url }),
        ...(events === undefined ? {} : { events }),
        ...(description === undefined ? {} : { description }),
      };
      return { ...(await views.one(await webhooks.change(id, ownerId, change))), remarks };
    },
  );

  app.delete(
    "/webhooks/:id",
    operation({
      id: "deleteWebhook",
      summary: "Delete a webhook",
      description: "Its open deliveries are cancelled in the background.",
      tag: "webhooks",
      scope: "webhooks:write",
      params: OneWebhook,
      query: OwnerQuery,
      answers: { 204: Type.Null({ description: "Deleted" }) },
      errors: ["not_found"],
    }),
    async (request, reply) => {
      await webhooks.delete(request.params.id, actingOwner(request, request.query.ownerId));
      return reply.code(204).send(null);
    },
  );

  app.post(
    "/webhooks/:id/copy",
    operation({
      id: "copyWebhook",
      summary: "Copy a webhook to other resources of the same owner",
      description: "URL, events and description are copied; each copy gets a secret of its own.",
      tag: "webhooks",
      scope: "webhooks:write",
      params: OneWebhook,
      query: OwnerQuery,
      body: CopyBody,
      answers: { 200: Type.Object({ results: Type.Array(CopyResult) }) },
      errors: ["not_found", "url_invalid", "target_blocked", "resource_id_invalid"],
    }),
    async (request) => {
      const ownerId = actingOwner(request, request.query.ownerId);
      const source = await webhooks.get(request.params.id, ownerId);
      await judgeUrl(deps, source.url);
      const results: Static<typeof CopyResult>[] = [];
      // One after the other: a hundred at once would only wait for the one writer.
      const bound = actorOf(request).resourceId;
      for (const resourceId of request.body.resourceIds) {
        results.push(
          bound === null || bound === resourceId
            ? await copyTo(source, resourceId)
            : rejected(resourceId, "resource_unknown"),
        );
      }
      return { results };
    },
  );

  async function copyTo(source: Webhook, resourceId: string): Promise<Static<typeof CopyResult>> {
    const secret = makeSecret(deps.randomBytes);
    try {
      const copy = await webhooks.create(
        {
          id: makeRandomId(WEBHOOK_ID_PREFIX, deps.randomBytes),
          resourceId,
          url: source.url,
          format: source.format,
          events: source.events,
          description: source.description,
          secret,
        },
        source.ownerId,
      );
      return { resourceId, status: "created", webhookId: copy.id, secret };
    } catch (error) {
      if (!isMarkethookError(error) || (errorEntry(error.code).status ?? 500) >= 500) throw error;
      return rejected(resourceId, error.code);
    }
  }
}

function rejected(resourceId: string, code: ErrorCode): Static<typeof CopyResult> {
  const { title, advice } = errorEntry(code);
  return { resourceId, status: "rejected", code, title, detail: advice };
}
