import type { QueuedDelivery, SendableWebhook } from "@markethook/store";

/** A delivery in memory, under the life that holds its lease. */
export interface Held {
  delivery: QueuedDelivery;
  life: number;
}

/** A request on its way, as its lane sees it. */
export interface OpenRequest {
  lane: Lane;
  startedAt: number;
  host: string;
  address: string | null;
  slow: boolean;
}

/** One webhook's deliveries in memory, and how many of its requests may be open. */
export class Lane {
  readonly no: number;
  readonly items: Held[] = [];
  #head = 0;
  open = 0;
  /** Grows with each answer, up to the cap; halves with each failure. */
  limit: number;
  /** The last attempt failed, or took over a second. */
  slow = false;
  /** Nothing is sent before this time: the receiver asked for it. */
  holdUntil = 0;
  /** Stands in the ready queue, or waits for its host, its address or the slow lane. */
  queued = false;

  constructor(no: number, limit: number) {
    this.no = no;
    this.limit = limit;
  }

  get length(): number {
    return this.items.length - this.#head;
  }

  push(held: Held): void {
    this.items.push(held);
  }

  shift(): Held | undefined {
    const held = this.items[this.#head];
    if (held === undefined) return undefined;
    this.#head += 1;
    if (this.#head > 64 && this.#head * 2 > this.items.length) {
      this.items.splice(0, this.#head);
      this.#head = 0;
    }
    return held;
  }

  clear(): Held[] {
    const rest = this.items.slice(this.#head);
    this.items.length = 0;
    this.#head = 0;
    return rest;
  }
}

/** The caps' key: name and port, so that thirty webhooks on one small server count as one. */
export function hostKey(webhook: SendableWebhook): string {
  const start = webhook.url.indexOf("//") + 2;
  const end = webhook.url.slice(start).search(/[/?#]/);
  return end === -1 ? webhook.url.slice(start) : webhook.url.slice(start, start + end);
}
