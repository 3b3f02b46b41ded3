import type { SendableWebhook } from "@markethook/store";
import { type Place, WAIT_REASONS, type WaitReason } from "../queue/place.ts";
import type { WebhookQueue } from "../queue/webhook-queue.ts";
import type { Counters } from "./counter.ts";

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
  /** True if its owner changed the webhook, or ended its pauses, since the request began. */
  webhookChanged: boolean;
  /** The counters that count it. Null: none. */
  counters: Counters | null;
}

/**
 * Names the place at which a webhook's next request has to wait, if any. For webhooks that do not concern a gate,
 * asking costs a look at one property.
 */
export interface Gate {
  /** Its reasons to make a queue wait, in the order in which it asks. */
  readonly reasons: readonly WaitReason[];
  /** Null: it may go now. Takes no room: if all gates let it pass, `enter` follows in the same turn. */
  wait(webhook: SendableWebhook, queue: WebhookQueue, now: number): Place | null;
  /** A request goes now. */
  enter?(webhook: SendableWebhook, request: OpenRequest, now: number): void;
  /** A request has ended. `sent` false: it was not sent after all. */
  leave?(webhook: SendableWebhook, sent: boolean, request: OpenRequest): void;
}

/**
 * Returns the gates, which are asked in this order. A queue may keep its permit of a place while it waits at one that is
 * asked later, so the order must be that of WAIT_REASONS: otherwise two queues could wait for each other.
 * @throws Error if it is not
 */
export function inOrder(gates: readonly Gate[]): readonly Gate[] {
  const asked = gates.flatMap(({ reasons }) => reasons);
  const listed = WAIT_REASONS.filter((one) => asked.includes(one));
  if (asked.join() === listed.join()) return gates;
  throw new Error(`Gates ask for ${asked.join(", ")}. WAIT_REASONS has ${listed.join(", ")}.`);
}
