import type { QueuedDelivery, SendableWebhook } from "@markethook/store";
import type { Caps } from "./caps.ts";

/** A delivery in memory, under the life that holds its lease. */
export interface Held {
  delivery: QueuedDelivery;
  life: number;
  /** In its lane. */
  behind?: Held | undefined;
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

/** A slot kept for a lane that waited for it. */
export interface Offer {
  caps: Caps<Lane>;
  key: string;
}

/** One webhook's deliveries in memory, and how many of its requests may be open. */
export class Lane {
  readonly no: number;
  /** Holds deliveries that were rescued too often: beside the webhook's own lane, so that those do not wait for these. */
  readonly suspect: boolean;
  // A list of its own links: an array would cost each of thousands of lanes more than its one delivery.
  #first: Held | undefined;
  #last: Held | undefined;
  #length = 0;
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
  /** A slot is kept for it until it has tried again. */
  offer: Offer | null = null;
  /** Waits before a gate. */
  parked = false;
  bytes = 0;

  constructor(no: number, limit: number, suspect: boolean) {
    this.no = no;
    this.limit = limit;
    this.suspect = suspect;
  }

  get length(): number {
    return this.#length;
  }

  push(held: Held): void {
    if (this.#last === undefined) this.#first = held;
    else this.#last.behind = held;
    this.#last = held;
    this.#length += 1;
    this.bytes += bytesOf(held);
  }

  shift(): Held | undefined {
    const held = this.#first;
    if (held === undefined) return undefined;
    this.#first = held.behind;
    if (this.#first === undefined) this.#last = undefined;
    // What has gone must not keep alive what stood behind it.
    held.behind = undefined;
    this.#length -= 1;
    this.bytes -= bytesOf(held);
    return held;
  }

  clear(): Held[] {
    const rest: Held[] = [];
    for (let held = this.shift(); held !== undefined; held = this.shift()) rest.push(held);
    return rest;
  }
}
