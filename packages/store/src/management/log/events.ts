import type { EventStore } from "../../port/events.ts";
import type { ManagementContext } from "../context.ts";
import { listStoredEvents } from "./event-list.ts";
import { explainEvent, findEvent } from "./explanation.ts";

export function createEventReader({
  reader,
}: ManagementContext): Pick<EventStore, "find" | "list" | "explain"> {
  return {
    async find(id, ownerId) {
      const event = await findEvent(reader, id, ownerId);
      if (event === null) return null;
      const { payload, details } = event.row;
      return { ...event.summary, payload, details };
    },

    async list(filter, page) {
      return await listStoredEvents(reader, filter, page);
    },

    async explain(id, ownerId) {
      return await explainEvent(reader, id, ownerId);
    },
  };
}
