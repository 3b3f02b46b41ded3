import type { SendableWebhook } from "@markethook/store";
import type { Place } from "../queue/place.ts";
import type { OpenRequest } from "../queue/open-request.ts";
import type { WebhookQueue } from "../queue/webhook-queue.ts";

/**
 * Names the place at which a webhook's next request has to wait, if any. For webhooks that do not concern a gate,
 * asking costs a look at one property.
 */
export interface Gate {
  /** Null: it may go now. Takes no room: if all gates let it pass, `enter` follows in the same turn. */
  wait(webhook: SendableWebhook, queue: WebhookQueue, now: number): Place | null;
  /** A request goes now. */
  enter?(webhook: SendableWebhook, request: OpenRequest, now: number): void;
  /** A request has ended. `sent` false: it was not sent after all. */
  leave?(webhook: SendableWebhook, sent: boolean, request: OpenRequest): void;
}
