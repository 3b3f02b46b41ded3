import type { DeliverySummary } from "./delivery-log.ts";
import type { StoredEventSummary } from "./stored-event.ts";
import type { DisabledReason, WebhookState } from "./webhooks.ts";

/** What is stored of one webhook that bears on one event. Times are milliseconds since the epoch. */
export interface WebhookAndEvent {
  webhookId: string;
  url: string;
  state: WebhookState;
  disabledReason: DisabledReason | null;
  /** Since when it is in that state, where that is known. */
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
  /** Of the resource, deleted ones last; at most 100. */
  webhooks: WebhookAndEvent[];
}
