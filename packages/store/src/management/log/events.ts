import type { EventStore } from "../../port/events.ts";
import type { ManagementContext } from "../context.ts";
import { listStoredEvents } from "./event-list.ts";
import { explainEvent, findEvent } from "./explanation.ts";

export function createEventReader(
  context: ManagementContext,
): Pick<EventStore, "find" | "list" | "explain"> {
  const { reader } = context;
  return {
    async find(id, ownerId) {
      const event = await findEvent(reader, id, ownerId);
      if (event === null) return null;
      const { payload, details } = event.row;
      return { ...event.summary, payload, details };
    },

    list: (filter, page) => listStoredEvents(reader, filter, page),
    explain: (id, ownerId) => explainEvent(reader, id, ownerId),
  };
}
