import { eventId } from "@markethook/protocol";
import { eventNameOf } from "../../hot/kinds.ts";
import type { EventStore } from "../../port/events.ts";
import type { ManagementContext } from "../context.ts";
import { listStoredEvents } from "./event-list.ts";
import { explainEvent, findEvent } from "./explanation.ts";

export function createEventReader({
  reader,
}: ManagementContext): Pick<EventStore, "find" | "list" | "explain"> {
  return {
    async find(id, ownerId) {
      const row = await findEvent(reader, id, ownerId);
      if (row === undefined) return null;
      return {
        eventId: eventId(row),
        resourceId: row.resource_id,
        name: eventNameOf(row.kind),
        time: row.time,
        userId: row.user_id,
        payload: row.payload,
        details: row.details,
        acceptedAt: row.accepted_at,
        erased: row.erased_at !== null,
      };
    },

    async list(filter, page) {
      return await listStoredEvents(reader, filter, page);
    },

    async explain(id, ownerId) {
      return await explainEvent(reader, id, ownerId);
    },
  };
}
