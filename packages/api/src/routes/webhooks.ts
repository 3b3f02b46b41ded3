import { Type, type Static } from "typebox";
import {
  errorEntry,
  given,
  givenFields,
  isMarkethookError,
  makeRandomId,
  makeSecret,
  WEBHOOK_ID_PREFIX,
} from "@markethook/protocol";
import type { ExpectedWebhook, Webhook, WebhookChange, WebhookStore } from "@markethook/store";
import { actingOwner, actingResource, actingStore, actorOf } from "../auth/actor.ts";
import { operation } from "../document/operation.ts";
import { rejectedCopy } from "../input/batch-results.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import {
  AbsentableResourceId,
  ActingFor,
  closed,
  code,
  Cursor,
  limit,
  OwnerQuery,
  pageOf,
  ref,
  ResourceFilter,
} from "../schemas/fields.ts";
import {
  ChangedWebhookView,
  CopyBody,
  CopyResult,
  NewWebhookView,
  ONE_WEBHOOK,
  WebhookBody,
  WebhookChangeBody,
  WebhookView,
} from "../schemas/webhook.ts";
import {
  addressOf,
  changedAddress,
  chooseSecret,
  defaultEvents,
  judgeUrl,
  remarkOnTwins,
} from "../input/webhook-input.ts";
import { openPage } from "../request/cursor.ts";
import { ownResource } from "../auth/bound-resource.ts";
import { createWebhookViews } from "../views/webhook-view.ts";

const OfResource = closed({
  id: Type.String({ ...AbsentableResourceId, ...code("resource_unknown") }),
});
const page = { ownerId: ActingFor, limit: limit(50), cursor: Cursor };
const WebhookList = pageOf(WebhookView);

export function webhookRoutes(app: ApiInstance, { deps, cursors, limits }: RouteContext): void {
  const { webhooks } = deps.store;
  const views = createWebhookViews(deps);

  async function listPage(
    ownerId: string | null,
    resourceId: string | undefined,
    query: { limit?: number; cursor?: string },
  ) {
    const binding = { list: "webhooks", ownerId, filter: resourceId ?? null };
    const { after, limit, next } = openPage<number>(cursors, binding, query);
    const items = await webhooks.list({
      ownerId,
      limit,
      ...given({ resourceId, afterNo: after ?? undefined }),
    });
    return {
      items: await views.many(items),
      nextCursor: next(items.length < limit ? null : items.at(-1)?.no),
    };
  }

  app.post(
    "/resources/:id/webhooks",
    operation({
      id: "createWebhook",
      summary: "Add a webhook to a resource",
      description:
        "The secret is in the answer; requests are signed with it. With the URL of a chat platform's webhook, messages are posted there instead, and by default of the events that a chat is for.",
      tag: "webhooks",
      scope: "webhooks:write",
      params: OfResource,
      query: OwnerQuery,
      body: WebhookBody,
      answers: { 201: ref(NewWebhookView) },
      errors: [
        "resource_unknown",
        "url_invalid",
        "chat_unsupported",
        "target_blocked",
        "secret_invalid",
        "webhook_limit_reached",
      ],
    }),
    async (request, reply) => {
      const ownerId = actingOwner(request);
      const { url, chat: options, secret: imported } = request.body;
      const secret = chooseSecret(deps, request, imported);
      // Checked before the URL is judged, so that a caller without a resource cannot make us look up names.
      const resource = await ownResource(deps, request.params.id, ownerId, "resource_unknown");
      limits.count(ownerId, "urlChecks");
      const { chat, remarks } = await judgeUrl(deps, url);
      const webhook = await actingStore(deps, request).webhooks.create(
        {
          id: makeRandomId(WEBHOOK_ID_PREFIX, deps.randomBytes),
          resourceId: resource.id,
          ...addressOf(url, chat, options),
          ...givenFields({ events: defaultEvents(chat), ...request.body }),
          secret,
        },
        ownerId,
      );
      const shown = chat === null ? secret : null;
      const twins = await remarkOnTwins(deps.store, webhook);
      return reply.code(201).send({
        ...(await views.one(webhook)),
        secret: shown,
        remarks: [...remarks, ...twins],
      });
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
      query: closed(page),
      answers: { 200: WebhookList },
      errors: ["resource_unknown", "cursor_invalid"],
    }),
    async (request) => {
      const ownerId = actingOwner(request);
      const resource = await ownResource(deps, request.params.id, ownerId, "resource_unknown");
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
      query: closed({ ...page, resourceId: ResourceFilter }),
      answers: { 200: WebhookList },
      errors: ["cursor_invalid"],
    }),
    async (request) =>
      listPage(
        actingOwner(request),
        actingResource(request, request.query.resourceId),
        request.query,
      ),
  );

  app.get(
    "/webhooks/:id",
    operation({
      ...ONE_WEBHOOK,
      id: "getWebhook",
      summary: "One webhook, without its secret",
      scope: "webhooks:read",
      answers: { 200: ref(WebhookView) },
      errors: ["not_found"],
    }),
    async (request) => views.one(await webhooks.get(request.params.id, actingOwner(request))),
  );

  app.patch(
    "/webhooks/:id",
    operation({
      ...ONE_WEBHOOK,
      id: "changeWebhook",
      summary: "Change a webhook",
      description:
        "Left-out fields stay unchanged; `chat` is replaced as a whole. With `expected`, another person's change is not overwritten. Deliveries not yet sent go to the new URL.",
      scope: "webhooks:write",
      body: WebhookChangeBody,
      answers: { 200: ref(ChangedWebhookView) },
      errors: ["not_found", "url_invalid", "chat_unsupported", "target_blocked", "webhook_changed"],
    }),
    async (request) => {
      const { id } = request.params;
      const ownerId = actingOwner(request);
      const { chat: options, expected } = request.body;
      const before = await webhooks.get(id, ownerId);
      // The shown form of the URL, sent back unchanged, changes nothing.
      const url = request.body.url === before.url ? undefined : request.body.url;
      if (url !== undefined) limits.count(ownerId, "urlChecks");
      const { chat, remarks } =
        url === undefined ? { chat: null, remarks: [] } : await judgeUrl(deps, url);
      const change: WebhookChange = {
        ...givenFields(request.body),
        // Others may change the webhook while the URL is looked up.
        address: (stored) => changedAddress(stored, url, chat, options),
        ...(expected === undefined ? {} : { expected: expectedOf(expected) }),
      };
      const changed = await actingStore(deps, request).webhooks.change(id, ownerId, change);
      const twins = url === undefined ? [] : await remarkOnTwins(deps.store, changed);
      return { ...(await views.one(changed)), remarks: [...remarks, ...twins] };
    },
  );

  app.delete(
    "/webhooks/:id",
    operation({
      ...ONE_WEBHOOK,
      id: "deleteWebhook",
      summary: "Delete a webhook",
      description: "Its open deliveries are cancelled in the background.",
      scope: "webhooks:write",
      answers: { 204: Type.Null({ description: "Deleted" }) },
      errors: ["not_found"],
    }),
    async (request, reply) => {
      const ownerId = actingOwner(request);
      await actingStore(deps, request).webhooks.delete(request.params.id, ownerId);
      return reply.code(204).send(null);
    },
  );

  app.post(
    "/webhooks/:id/copy",
    operation({
      ...ONE_WEBHOOK,
      id: "copyWebhook",
      summary: "Copy a webhook to other resources of the same owner",
      description:
        "All that `changeWebhook` can change is copied; each copy gets a secret of its own.",
      scope: "webhooks:write",
      body: CopyBody,
      answers: { 200: Type.Object({ results: Type.Array(CopyResult) }) },
      errors: [
        "not_found",
        "url_invalid",
        "chat_unsupported",
        "target_blocked",
        "resource_id_invalid",
      ],
    }),
    async (request) => {
      const ownerId = actingOwner(request);
      const source = await webhooks.get(request.params.id, ownerId);
      limits.count(ownerId, "bulkActions");
      await judgeUrl(deps, await webhooks.revealUrl(source.id, ownerId));
      const results: Static<typeof CopyResult>[] = [];
      // One after the other: a hundred at once would only wait for the one writer.
      const bound = actorOf(request).resourceId;
      const acting = actingStore(deps, request).webhooks;
      for (const resourceId of request.body.resourceIds) {
        results.push(
          bound === null || bound === resourceId
            ? await copyTo(acting, source, resourceId)
            : rejectedCopy(resourceId, "resource_unknown"),
        );
      }
      return { results };
    },
  );

  async function copyTo(acting: WebhookStore, source: Webhook, resourceId: string) {
    const secret = makeSecret(deps.randomBytes);
    try {
      const copy = await acting.copy(source.id, source.ownerId, {
        id: makeRandomId(WEBHOOK_ID_PREFIX, deps.randomBytes),
        resourceId,
        secret,
      });
      const shown = copy.format === "json" ? { secret } : {};
      return { resourceId, status: "created" as const, webhookId: copy.id, ...shown };
    } catch (error) {
      if (!isMarkethookError(error) || (errorEntry(error.code).status ?? 500) >= 500) throw error;
      return rejectedCopy(resourceId, error.code);
    }
  }
}

function expectedOf({
  chat,
  ...rest
}: NonNullable<Static<typeof WebhookChangeBody>["expected"]>): ExpectedWebhook {
  return { ...rest, ...(chat === undefined ? {} : { chat: JSON.stringify(chat) }) };
}
