import type { SendableWebhook } from "@markethook/store";

/**
 * Says when a webhook's requests may go, next to the queue's caps. What it has no say about passes it for the price
 * of looking at a property.
 */
export interface Gate {
  /** Null: one may go now, and then `enter` follows at once. */
  wait(webhook: SendableWebhook): GateWait | null;
  /** One goes now. */
  enter(webhook: SendableWebhook): void;
  /** It ended; `sent` false: it did not go after all. */
  leave(webhook: SendableWebhook, sent: boolean): void;
  /** How many of those that wait under this key may try now, and when to look again for the others. */
  look(key: string): { room: number; until: number };
}

export interface GateWait {
  gate: Gate;
  /** Who waits for the same thing waits under the same key; no two gates use the same one. */
  key: string;
  /** Monotonic milliseconds when it is worth looking again; Infinity: when the gate wakes the key. */
  until: number;
}
