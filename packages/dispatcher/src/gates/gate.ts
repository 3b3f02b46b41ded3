import type { SendableWebhook } from "@markethook/store";
import type { Place } from "../queue/place.ts";
import type { WebhookQueue } from "../queue/webhook-queue.ts";
import type { Counters } from "./counter.ts";

/** An open request. */
export interface OpenRequest {
  queue: WebhookQueue;
  /** By the slow watch's time. */
  startedAt: number;
  host: string;
  /** Above 0: the delivery is a poison suspect. */
  suspicion: number;
  /**
   * True if the webhook was slow when the request began, except for a second try, or the request has been open for over a
   * second.
   */
  slow: boolean;
  /** True if it is the first request after the one that made its webhook slow. */
  isSecondTry: boolean;
  /** Null: the webhook was deleted. */
  webhook: SendableWebhook | null;
  /** The counters that count it. Null: none. */
  counters: Counters | null;
}

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
