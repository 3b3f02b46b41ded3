import type { StoredEvent, StoredEventSummary } from "@markethook/store";
import { instant } from "../request/instant.ts";

export function eventSummaryView(event: StoredEventSummary) {
  return {
    id: event.eventId,
    resourceId: event.resourceId,
    event: event.name,
    time: event.time,
    userId: event.userId,
    erased: event.erased,
    acceptedAt: instant(event.acceptedAt),
  };
}

export function eventView(event: StoredEvent) {
  return {
    ...eventSummaryView(event),
    payload: JSON.parse(event.payload),
    details: event.details === null ? null : JSON.parse(event.details),
  };
}
