import type { SendableWebhook } from "@markethook/store";
import type { Counters } from "../gates/counter.ts";
import type { WebhookQueue } from "./webhook-queue.ts";

/** A request on its way. */
export interface OpenRequest {
  queue: WebhookQueue;
  startedAt: number;
  host: string;
  /** Above 0: a suspect's. */
  suspicion: number;
  /** Began as a slow one's, or is open for over a second. */
  slow: boolean;
  /** Null: there is no such webhook any more. */
  webhook: SendableWebhook | null;
  /** Where it is counted. Null: nowhere. */
  counters: Counters | null;
}
