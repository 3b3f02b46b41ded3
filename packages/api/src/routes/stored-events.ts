import { MarkethookError, parseEventId } from "@markethook/protocol";
import { Type } from "typebox";
import { actingOwner, actingResource } from "../auth/actor.ts";
import { eventSummaryView, eventView } from "../views/event-view.ts";
import { explanationView } from "../views/explanation.ts";
import { operation } from "../document/operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { EventId } from "../schemas/delivery.ts";
import { EventView } from "../schemas/event.ts";
import { EventList, EventsQuery, ExplanationView } from "../schemas/explanation.ts";
import { ActingFor, CLOSED, ref } from "../schemas/fields.ts";

const common = {
  tag: "events",
  scope: "deliveries:read",
  params: Type.Object({ id: EventId }, CLOSED),
  query: Type.Object({ ownerId: ActingFor }, CLOSED),
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
      const ownerId = actingOwner(request, query.ownerId);
      const resourceId = actingResource(request, query.resourceId);
      const filter = {
        ownerId,
        ...(resourceId === undefined ? {} : { resourceId }),
        ...(query.userId === undefined ? {} : { userId: query.userId }),
      };
      const binding = { list: "events", ownerId, filter };
      const beforeSeq =
        query.cursor === undefined ? null : Number(cursors.read(binding, query.cursor)[0]);
      const page = await events.list(filter, { beforeSeq, limit: query.limit ?? 50 });
      return {
        items: page.items.map(eventSummaryView),
        nextCursor: page.nextSeq === null ? null : cursors.write(binding, [page.nextSeq]),
      };
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
      const { id } = request.params;
      const owner = actingOwner(request, request.query.ownerId);
      const event = parseEventId(id) === null ? null : await events.find(id, owner);
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
        "From what is stored anyway: a webhook that was deleted, added later or did not choose the event is told too.",
      answers: { 200: ref(ExplanationView) },
    }),
    async (request) => {
      const { id } = request.params;
      const owner = actingOwner(request, request.query.ownerId);
      const found = parseEventId(id) === null ? null : await events.explain(id, owner);
      if (found === null) throw new MarkethookError("not_found");
      return explanationView(found, deps.nowMs() - deps.retentionMs);
    },
  );
}
