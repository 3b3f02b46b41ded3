import type { QueuedDelivery, SendableWebhook } from "@markethook/store";

/** A delivery in memory, under the life that holds its lease. */
export interface Held {
  delivery: QueuedDelivery;
  life: number;
}

/** What a queued delivery costs besides its payload. */
const ITEM_BYTES = 512;

export function bytesOf(held: Held): number {
  return held.delivery.payload.length + ITEM_BYTES;
}

/**
 * Requests that may never take all slots, each kind with a part of its own:
 * `suspect` was rescued too often, `slow` failed or took over a second last time, `new` has never answered well, nor
 * has its host of late.
 */
export type Share = "suspect" | "slow" | "new";

/** A request on its way, as its lane sees it. */
export interface OpenRequest {
  lane: Lane;
  startedAt: number;
  host: string;
  address: string | null;
  share: Share | null;
  /** Null: there is no such webhook any more. */
  webhook: SendableWebhook | null;
}

/** One webhook's deliveries in memory, and how many of its requests may be open. */
export class Lane {
  readonly no: number;
  /** Holds deliveries that were rescued too often: beside the webhook's own lane, so that those do not wait for these. */
  readonly suspect: boolean;
  readonly items: (Held | undefined)[] = [];
  #head = 0;
  open = 0;
  /** Grows with each answer, up to the cap; halves with each failure. */
  limit: number;
  /** The last attempt failed, or took over a second. */
  slow = false;
  /** Answered well at least once since this process began. */
  proven = false;
  /** Stands in the ready queue, or waits for its webhook to be read, for a slot or before a gate. */
  queued = false;
  /** Waits for a slot of this share. */
  waitsFor: Share | null = null;
  /** Waits before a gate. */
  parked = false;
  bytes = 0;

  constructor(no: number, limit: number, suspect: boolean) {
    this.no = no;
    this.limit = limit;
    this.suspect = suspect;
  }

  get length(): number {
    return this.items.length - this.#head;
  }

  push(held: Held): void {
    this.items.push(held);
    this.bytes += bytesOf(held);
  }

  shift(): Held | undefined {
    const held = this.items[this.#head];
    if (held === undefined) return undefined;
    this.bytes -= bytesOf(held);
    // What has gone must not be kept alive by the place where it stood.
    this.items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head === this.items.length) this.#restart();
    else if (this.#head > 64 && this.#head * 2 > this.items.length) {
      this.items.splice(0, this.#head);
      this.#head = 0;
    }
    return held;
  }

  /** Thousands of idle lanes must not each keep the places that they once needed. */
  #restart(): void {
    this.items.length = 0;
    this.bytes = 0;
    this.#head = 0;
  }

  clear(): Held[] {
    const rest = this.items.slice(this.#head).filter((held) => held !== undefined);
    this.#restart();
    return rest;
  }
}

const hostKeys = new WeakMap<SendableWebhook, string>();

/** The caps' key: name and port, so that thirty webhooks on one small server count as one. */
export function hostKey(webhook: SendableWebhook): string {
  let key = hostKeys.get(webhook);
  if (key === undefined) {
    key = readHostKey(webhook);
    hostKeys.set(webhook, key);
  }
  return key;
}

function readHostKey(webhook: SendableWebhook): string {
  const rest = webhook.url.slice(webhook.url.indexOf("//") + 2);
  const end = rest.search(/[/?#]/);
  return (end === -1 ? rest : rest.slice(0, end)).toLowerCase();
}
