import type { QueuedDelivery, SendableWebhook } from "@markethook/store";
import type { Caps, Standing } from "./caps.ts";
import type { Ledger, Ledgers } from "./ledger.ts";

/** A delivery in memory, under the instance that holds its lease. */
export interface QueueEntry {
  delivery: QueuedDelivery;
  instanceNo: number;
  /** Leased when it was accepted; the others have waited in the database. */
  fresh?: boolean;
  /** In its lane. */
  behind?: QueueEntry | undefined;
}

/** What a queued delivery costs besides its payload. */
const ITEM_BYTES = 512;

export function bytesOf(entry: QueueEntry): number {
  return entry.delivery.payload.length + ITEM_BYTES;
}

/**
 * Requests that may never take all slots, each kind with a part of its own: `slow` failed or took over a second last
 * time, `new` has never answered well, nor has its host of late.
 */
export type Share = "slow" | "new";

/** A request on its way, as its lane sees it. */
export interface OpenRequest {
  lane: Lane;
  startedAt: number;
  host: string;
  address: string | null;
  share: Share | null;
  /** Above 0: a suspect's. */
  suspicion: number;
  /** Began as a slow one's, or is open for over a second. */
  slow: boolean;
  /** Null: there is no such webhook any more. */
  webhook: SendableWebhook | null;
}

/** A slot that a lane waits for, or that is kept for it. `rank`: where in the order of asking its cap stands. */
export interface SlotPermit {
  caps: Caps<Lane>;
  key: string;
  rank: number;
}

const NO_PERMITS: readonly SlotPermit[] = [];

/** A list of its own links: an array would cost each of thousands of lanes more than its one delivery. */
class EntryList {
  first: QueueEntry | undefined;
  #last: QueueEntry | undefined;
  length = 0;

  push(entry: QueueEntry): void {
    if (this.#last === undefined) this.first = entry;
    else this.#last.behind = entry;
    this.#last = entry;
    this.length += 1;
  }

  shift(): QueueEntry | undefined {
    const entry = this.first;
    if (entry === undefined) return undefined;
    this.first = entry.behind;
    if (this.first === undefined) this.#last = undefined;
    // What has gone must not keep alive what stood behind it.
    entry.behind = undefined;
    this.length -= 1;
    return entry;
  }
}

/** One webhook's deliveries in memory, and how many of its requests may be open. */
export class Lane {
  readonly no: number;
  /** Among the lanes of its kind. */
  readonly key: number;
  /** Of suspects of level 2 or more: next to the webhook's own lane, so that its others do not wait for these. */
  readonly suspect: boolean;
  readonly #fresh = new EntryList();
  readonly #backlog = new EntryList();
  /** Whose turn it is where there are both. */
  #freshNext = true;
  open = 0;
  /** Grows with each answer, up to the cap; halves with each failure. */
  limit: number;
  #slow = false;
  /** Answered well at least once since this process began. */
  proven = false;
  /** Stands in the ready queue, or waits for its webhook to be read, for a slot or before a gate. */
  queued = false;
  /** The slot that it waits for. */
  waitsFor: SlotPermit | null = null;
  /** Slots that are kept for it until it has tried again. */
  permits: readonly SlotPermit[] = NO_PERMITS;
  /** Offers that it could not use, since it last went without having to wait. */
  refused = 0;
  bytes = 0;
  /** Where its bytes are counted while it waits. */
  #waitsIn: Ledger | null = null;
  readonly #ledgers: Ledgers;

  constructor(no: number, key: number, limit: number, suspect: boolean, ledgers: Ledgers) {
    this.no = no;
    this.key = key;
    this.limit = limit;
    this.suspect = suspect;
    this.#ledgers = ledgers;
  }

  /** The last attempt failed, or took over a second. */
  get slow(): boolean {
    return this.#slow;
  }

  set slow(slow: boolean) {
    if (slow === this.#slow) return;
    this.#slow = slow;
    this.#ledgers.slow.bytes += slow ? this.bytes : -this.bytes;
  }

  get standing(): Standing {
    if (this.#slow) return "slow";
    if (this.open > 0) return "more";
    return this.proven ? "proven" : "new";
  }

  /** Null: it does not wait any more. */
  waitIn(ledger: Ledger | null): void {
    if (this.#waitsIn !== null) this.#waitsIn.bytes -= this.bytes;
    this.#waitsIn = ledger;
    if (ledger !== null) ledger.bytes += this.bytes;
  }

  /** It, or what waits for the same kind of thing, takes more memory than it may. */
  get isTooMuch(): boolean {
    return (this.#slow && this.#ledgers.slow.isOver) || this.#waitsIn?.isOver === true;
  }

  addPermit(permit: SlotPermit): void {
    this.permits = this.permits.length === 0 ? [permit] : [...this.permits, permit];
  }

  takePermits(): readonly SlotPermit[] {
    const { permits } = this;
    this.permits = NO_PERMITS;
    return permits;
  }

  /** Of the delivery that is next. */
  get suspicion(): number {
    return this.#next.first?.delivery.suspicion ?? 0;
  }

  get length(): number {
    return this.#fresh.length + this.#backlog.length;
  }

  get fresh(): number {
    return this.#fresh.length;
  }

  push(entry: QueueEntry): void {
    (entry.fresh === true ? this.#fresh : this.#backlog).push(entry);
    this.#grow(bytesOf(entry));
  }

  /** What has just been accepted and what has waited in turn: a backlog does not keep new events waiting. */
  shift(): QueueEntry | undefined {
    const list = this.#next;
    const entry = list.shift();
    if (entry === undefined) return undefined;
    this.#freshNext = list !== this.#fresh;
    this.#grow(-bytesOf(entry));
    return entry;
  }

  /** Leaves the backlog for later, if there is anything else. */
  preferFresh(): boolean {
    if (this.#fresh.length === 0) return false;
    this.#freshNext = true;
    return true;
  }

  get #next(): EntryList {
    if (this.#backlog.length === 0) return this.#fresh;
    return this.#freshNext && this.#fresh.length > 0 ? this.#fresh : this.#backlog;
  }

  clear(): QueueEntry[] {
    const rest: QueueEntry[] = [];
    for (let entry = this.shift(); entry !== undefined; entry = this.shift()) rest.push(entry);
    return rest;
  }

  #grow(bytes: number): void {
    this.bytes += bytes;
    if (this.#slow) this.#ledgers.slow.bytes += bytes;
    if (this.#waitsIn !== null) this.#waitsIn.bytes += bytes;
  }
}
