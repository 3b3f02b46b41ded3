import type { QueuedDelivery, SendableWebhook } from "@markethook/store";
import type { Ledger, Ledgers } from "./memory-ledger.ts";
import type { Line, Place, Standing, Waiter } from "./place.ts";

/** A delivery in memory, under the instance that has its lease. */
export interface QueueEntry {
  delivery: QueuedDelivery;
  instanceNo: number;
  /** True if it was leased when it was accepted; other deliveries have waited in the database. */
  fresh?: boolean;
  /** Next entry in its list. */
  behind?: QueueEntry | undefined;
}

/** Memory of a queued delivery besides its payload. */
const ITEM_BYTES = 512;

export function bytesOf(entry: QueueEntry): number {
  return entry.delivery.payload.length + ITEM_BYTES;
}

const NO_PERMITS: readonly Place[] = [];

/**
 * True if its webhook's state keeps the delivery in the database. A webhook that was disabled for failing still gets
 * probes.
 */
export function isHeld(
  { probe }: QueuedDelivery,
  { state, cancelled, disabledReason }: SendableWebhook,
): boolean {
  if (cancelled) return true;
  return state !== "active" && !(probe && disabledReason === "failing");
}

/** A linked list. For thousands of queues an array would cost more than its one delivery. */
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
    // A removed entry must not keep the entries behind it alive.
    entry.behind = undefined;
    this.length -= 1;
    return entry;
  }
}

/** One webhook's deliveries in memory, and how many of its requests may be open. */
export class WebhookQueue implements Waiter {
  readonly no: number;
  /** Key among the queues of its kind. */
  readonly key: number;
  /**
   * True for the queue of suspects of level 2 or more. It is separate, so that other deliveries of the webhook do not
   * wait for these.
   */
  readonly suspect: boolean;
  readonly #fresh = new EntryList();
  readonly #backlog = new EntryList();
  /** Which list has the next turn if both have entries. */
  #freshNext = true;
  host = "";
  open = 0;
  /** Grows with each answer, up to the cap; halves with each failure. */
  limit: number;
  #slow = false;
  /** True after the first good answer since this process began. */
  proven = false;
  /**
   * True if it has become slow in this process, and has not tried again since. Its next request need not wait for the
   * slots of webhooks that have been slow for longer.
   */
  justSlow = false;
  /** The line in which it stands: of a place, or of queues whose turn comes. Null: none. */
  line: Line | null = null;
  /** Neighbours in that line. */
  ahead: Waiter | null = null;
  behind: Waiter | null = null;
  /** Places that reserve room for it until it has tried again. */
  permits: readonly Place[] = NO_PERMITS;
  /** Number of permits that it could not use since it last sent without waiting. */
  refused = 0;
  bytes = 0;
  /** The ledger that counts its bytes while it waits. */
  #waitsIn: Ledger | null = null;
  readonly #ledgers: Ledgers;

  constructor(no: number, key: number, limit: number, suspect: boolean, ledgers: Ledgers) {
    this.no = no;
    this.key = key;
    this.limit = limit;
    this.suspect = suspect;
    this.#ledgers = ledgers;
  }

  /** True if the last attempt failed, or took over a second. */
  get slow(): boolean {
    return this.#slow;
  }

  set slow(slow: boolean) {
    if (slow === this.#slow) return;
    this.#slow = slow;
    this.justSlow = slow;
    this.#ledgers.slow.bytes += slow ? this.bytes : -this.bytes;
  }

  /** True if its receiver keeps its deliveries waiting: it fails, replies slowly, or is a chat with its own pace. */
  get isKeptWaiting(): boolean {
    return this.#slow || this.line?.place?.reason === "chat-address";
  }

  /** Call if it failed before this process began: then it takes no slot of new webhooks, and has no second try. */
  countAsFailing(): void {
    if (this.proven || this.#slow) return;
    this.slow = true;
    this.justSlow = false;
  }

  /** True if its next request may show that the slow one was an exception. */
  get hasSecondTry(): boolean {
    return this.justSlow && this.open === 0;
  }

  get standing(): Standing {
    if (this.#slow) return "slow";
    if (this.open > 0) return "more";
    return this.proven ? "proven" : "new";
  }

  /** Sets the ledger for its wait. Null: it does not wait any more. */
  waitIn(ledger: Ledger | null): void {
    if (this.#waitsIn !== null) this.#waitsIn.bytes -= this.bytes;
    this.#waitsIn = ledger;
    if (ledger !== null) ledger.bytes += this.bytes;
  }

  /** True if this queue, or all queues that wait for the same kind of thing, use more memory than allowed. */
  get isTooMuch(): boolean {
    return (this.#slow && this.#ledgers.slow.isOver) || this.#waitsIn?.isOver === true;
  }

  addPermit(permit: Place): void {
    this.permits = this.permits.length === 0 ? [permit] : [...this.permits, permit];
  }

  takePermits(): readonly Place[] {
    const { permits } = this;
    this.permits = NO_PERMITS;
    return permits;
  }

  get next(): QueuedDelivery | null {
    return this.#next.first?.delivery ?? null;
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

  /** Takes newly accepted deliveries and older ones in turn, so that a backlog does not delay new events. */
  shift(): QueueEntry | undefined {
    const list = this.#next;
    const entry = list.shift();
    if (entry === undefined) return undefined;
    this.#freshNext = list !== this.#fresh;
    this.#grow(-bytesOf(entry));
    return entry;
  }

  /** Leaves the backlog for later. Returns false if there is nothing else. */
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
