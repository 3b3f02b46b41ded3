import type { SendableWebhook } from "@markethook/store";
import type { Place } from "../queue/place.ts";
import type { OpenRequest } from "../queue/open-request.ts";
import type { WebhookQueue } from "../queue/webhook-queue.ts";

/**
 * Says where a webhook's next request has to wait, if anywhere. Webhooks that a gate has no say about pass for the price
 * of a look at a property.
 */
export interface Gate {
  /** Null: it may go now. Takes nothing: if all gates let it pass, `enter` follows in the same turn. */
  wait(webhook: SendableWebhook, queue: WebhookQueue, now: number): Place | null;
  /** One goes now. */
  enter?(webhook: SendableWebhook, request: OpenRequest, now: number): void;
  /** It ended. `sent` false: it did not go after all. */
  leave?(webhook: SendableWebhook, sent: boolean, request: OpenRequest): void;
}
