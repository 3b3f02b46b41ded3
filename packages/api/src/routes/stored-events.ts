import { given, MarkethookError } from "@markethook/protocol";
import { actingOwner, actingResource } from "../auth/actor.ts";
import { eventSummaryView, eventView } from "../views/event-view.ts";
import { explanationView } from "../views/explanation.ts";
import { openPage } from "../request/cursor.ts";
import { operation } from "../document/operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { EventId } from "../schemas/delivery.ts";
import { EventView } from "../schemas/event.ts";
import { EventList, EventsQuery, ExplanationView } from "../schemas/explanation.ts";
import { closed, OwnerQuery, ref } from "../schemas/fields.ts";

const common = {
  tag: "events",
  scope: "deliveries:read",
  params: closed({ id: EventId }),
  query: OwnerQuery,
  errors: ["not_found"],
} as const;

export function storedEventRoutes(app: ApiInstance, { deps, cursors }: RouteContext): void {
  const { events } = deps.store;

  app.get(
    "/events",
    operation({
      id: "listEvents",
      summary: "Reported events, newest first",
      description: "Without pings. A page can have fewer than `limit`, also before the last one.",
      tag: "events",
      scope: "deliveries:read",
      query: EventsQuery,
      answers: { 200: EventList },
      errors: ["cursor_invalid"],
    }),
    async (request) => {
      const { query } = request;
      const ownerId = actingOwner(request);
      const resourceId = actingResource(request, query.resourceId);
      const filter = given({ ownerId, resourceId, userId: query.userId });
      const page = openPage<number>(cursors, { list: "events", ownerId, filter }, query);
      const found = await events.list(filter, { beforeSeq: page.after, limit: page.limit });
      return { items: found.items.map(eventSummaryView), nextCursor: page.next(found.nextSeq) };
    },
  );

  app.get(
    "/events/:id",
    operation({
      ...common,
      id: "getEvent",
      summary: "One stored event",
      answers: { 200: ref(EventView) },
    }),
    async (request) => {
      const event = await events.find(request.params.id, actingOwner(request));
      if (event === null) throw new MarkethookError("not_found");
      return eventView(event);
    },
  );

  app.get(
    "/events/:id/explanation",
    operation({
      ...common,
      id: "explainEvent",
      summary: "Why an event did or did not arrive, a line per webhook of its resource",
      description:
        "Made from stored facts. Webhooks that were deleted, added later or did not choose the event are listed too.",
      answers: { 200: ref(ExplanationView) },
    }),
    async (request) => {
      const found = await events.explain(request.params.id, actingOwner(request));
      if (found === null) throw new MarkethookError("not_found");
      return explanationView(found, deps.nowMs() - deps.retentionMs);
    },
  );
}
