import { given, MarkethookError, parseDeliveryId, parseEventId } from "@markethook/protocol";
import type { DeliveryFilter } from "@markethook/store";
import type { FastifyRequest } from "fastify";
import { Type, type Static } from "typebox";
import {
  actingOwner,
  actingResource,
  actingStore,
  actorOf,
  seesSignatures,
} from "../auth/actor.ts";
import {
  detailView,
  failuresView,
  profilesOf,
  searchedView,
  summaryView,
  type Profiles,
} from "../views/delivery-view.ts";
import { millisecondsOf } from "../request/instant.ts";
import { openPage } from "../request/cursor.ts";
import { operation } from "../document/operation.ts";
import { refuseDeliveryInDryRun } from "../input/dry-run.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import {
  DeliveriesQuery,
  DeliveryDetailView,
  DeliveryView,
  FailuresAnswer,
  ONE_DELIVERY,
  RedeliverBody,
  Searched,
  WebhookDeliveriesQuery,
} from "../schemas/delivery.ts";
import { pageOf, ref } from "../schemas/fields.ts";
import { ONE_WEBHOOK } from "../schemas/webhook.ts";

const DeliveryList = Type.Object({
  ...pageOf(DeliveryView).properties,
  searched: Type.Optional(Searched),
});

export function deliveryRoutes(app: ApiInstance, { deps, cursors }: RouteContext): void {
  const { log, webhooks } = deps.store;
  // Profiles never change, so known ones are not read again.
  let profiles: Profiles = new Map();

  async function profilesFor(numbers: readonly number[]): Promise<Profiles> {
    if (numbers.some((number) => !profiles.has(number))) profiles = await log.profiles();
    return profiles;
  }

  async function listPage(
    request: FastifyRequest,
    query: Static<typeof DeliveriesQuery>,
  ): Promise<Static<typeof DeliveryList>> {
    const ownerId = actingOwner(request);
    const filter = toFilter(ownerId, actingResource(request, query.resourceId), query);
    const page = openPage<number>(cursors, { list: "deliveries", ownerId, filter }, query);
    const found = await log.list(filter, { beforeSeq: page.after, limit: page.limit });
    return {
      items: found.items.map(summaryView),
      nextCursor: page.next(found.nextSeq),
      ...searchedView(found.searched),
    };
  }

  app.get(
    "/deliveries",
    operation({
      id: "listDeliveries",
      summary: "Deliveries, newest first",
      tag: "deliveries",
      scope: "deliveries:read",
      query: DeliveriesQuery,
      answers: { 200: DeliveryList },
      errors: ["cursor_invalid"],
    }),
    async (request) => listPage(request, request.query),
  );

  app.get(
    "/webhooks/:id/deliveries",
    operation({
      ...ONE_WEBHOOK,
      id: "listWebhookDeliveries",
      summary: "The deliveries of a webhook, newest first",
      tag: "deliveries",
      scope: "deliveries:read",
      query: WebhookDeliveriesQuery,
      answers: { 200: DeliveryList },
      errors: ["not_found", "cursor_invalid"],
    }),
    async (request) => {
      const { id } = request.params;
      await webhooks.get(id, actingOwner(request));
      return listPage(request, { ...request.query, webhookId: id });
    },
  );

  app.get(
    "/webhooks/:id/failures",
    operation({
      ...ONE_WEBHOOK,
      id: "listFailures",
      summary: "What the failed deliveries of a webhook have in common",
      description:
        "Looks at the newest 1,000 that were given up within a week, and at 1,000 that wait for their next attempt, and groups them by outcome, status and beginning of the answer.",
      tag: "deliveries",
      scope: "deliveries:read",
      answers: { 200: FailuresAnswer },
      errors: ["not_found"],
    }),
    async (request) => {
      const { id } = request.params;
      const ownerId = actingOwner(request);
      await webhooks.get(id, ownerId);
      return failuresView(await log.failures(id, ownerId));
    },
  );

  app.get(
    "/deliveries/:id",
    operation({
      ...ONE_DELIVERY,
      id: "getDelivery",
      summary: "One delivery, with the exact requests and answers",
      scope: "deliveries:read",
      answers: { 200: ref(DeliveryDetailView) },
      errors: ["not_found"],
    }),
    async (request) => {
      const { id } = request.params;
      const ownerId = actingOwner(request);
      const delivery = await log.find(id, ownerId);
      if (delivery === null) throw new MarkethookError("not_found");
      return detailView(delivery, await profilesFor(profilesOf(delivery)), {
        isOperator: actorOf(request).kind === "key" && ownerId === null,
        seesSignatures: seesSignatures(request),
      });
    },
  );

  app.post(
    "/deliveries/:id/redeliver",
    operation({
      ...ONE_DELIVERY,
      id: "redeliver",
      summary: "Send an ended delivery again",
      description:
        "As a new delivery of the same event, with the same `webhook-id`: receivers that deduplicate ignore it if they had it.",
      scope: "deliveries:write",
      limit: "sends",
      body: RedeliverBody,
      bodyOptional: true,
      answers: { 202: Type.Object({ deliveryId: Type.String() }) },
      errors: [
        "not_found",
        "delivery_not_ended",
        "delivery_is_ping",
        "dry_run",
        "event_erased",
        "redelivery_out_of_order",
      ],
    }),
    async (request, reply) => {
      const { id } = request.params;
      const ownerId = actingOwner(request);
      await refuseDeliveryInDryRun(deps, id, ownerId);
      const acting = actingStore(deps, request);
      const made = await acting.log.redeliver(id, ownerId, request.body.confirm ?? false);
      deps.wake();
      return reply.code(202).send({ deliveryId: made.deliveryId });
    },
  );
}

function toFilter(
  ownerId: string | null,
  resourceId: string | undefined,
  query: Static<typeof DeliveriesQuery>,
): DeliveryFilter {
  const { webhookId, event: eventName, state, status, statusClass, userId, search } = query;
  const plain = { ownerId, resourceId, webhookId, eventName, state, status, statusClass, userId };
  const sought = search === undefined ? {} : soughtBy(search.trim());
  // Cursors are bound to the filter as it is written, in this order.
  return given({ ...plain, ...millisecondsOf(query), ...sought });
}

/** Interprets a typed or pasted text: the id of a delivery or an event, or any text. */
function soughtBy(text: string): Pick<DeliveryFilter, "deliveryId" | "eventId" | "text"> {
  if (parseDeliveryId(text) !== null) return { deliveryId: text };
  if (parseEventId(text) !== null) return { eventId: text };
  if (text.length < 2) {
    throw new MarkethookError("parameter_invalid", {
      detail: "`search` must have at least 2 characters, without spaces at its ends.",
    });
  }
  return { text };
}
