import { instant } from "@markethook/protocol";
import type { StoredEvent, StoredEventSummary } from "@markethook/store";

export function eventSummaryView(event: StoredEventSummary) {
  return { ...event, id: event.eventId, event: event.name, acceptedAt: instant(event.acceptedAt) };
}

export function eventView(event: StoredEvent) {
  return {
    ...eventSummaryView(event),
    payload: storedJson(event.payload, event.payload),
    details: event.details === null ? null : storedJson(event.details, event.details),
  };
}

/** The value of a stored JSON text, or `otherwise` where the text is damaged: one row must not hide the others. */
export function storedJson(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}
