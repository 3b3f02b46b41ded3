import type { DeliverySummary } from "./delivery-log.ts";
import type { StoredEventSummary } from "./stored-event.ts";
import type { DisabledReason, WebhookState } from "./webhooks.ts";

/** Stored facts of one webhook that concern one event. Times are milliseconds since the epoch. */
export interface WebhookAndEvent {
  webhookId: string;
  url: string;
  state: WebhookState;
  disabledReason: DisabledReason | null;
  /** When that state began, if known. */
  stateSince: number | null;
  chosenNow: boolean;
  createdAt: number;
  updatedAt: number;
  deletedAt: number | null;
  /** The newest delivery of the event to it. */
  delivery: DeliverySummary | null;
  /** The earlier delivery about the same buyer that it waits for. */
  behindDeliveryId: string | null;
}

export interface EventAndWebhooks {
  event: StoredEventSummary;
  /** Webhooks of the resource, deleted ones last; at most 100. */
  webhooks: WebhookAndEvent[];
}
