import type { SendableWebhook } from "@markethook/store";
import type { Counters } from "../gates/counter.ts";
import type { WebhookQueue } from "./webhook-queue.ts";

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
