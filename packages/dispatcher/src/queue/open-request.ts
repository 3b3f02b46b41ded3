import type { SendableWebhook } from "@markethook/store";
import type { Counters } from "../gates/counter.ts";
import type { WebhookQueue } from "./webhook-queue.ts";

/** An open request. */
export interface OpenRequest {
  queue: WebhookQueue;
  startedAt: number;
  host: string;
  /** Above 0: the delivery is a poison suspect. */
  suspicion: number;
  /** True if the webhook was slow when the request began, or the request has been open for over a second. */
  slow: boolean;
  /** True if it may show that its webhook was slow by way of exception. */
  tries: boolean;
  /** Null: the webhook was deleted. */
  webhook: SendableWebhook | null;
  /** The counters that count it. Null: none. */
  counters: Counters | null;
}
