import type { SendableWebhook } from "@markethook/store";
import type { Gate } from "../gates/gate.ts";
import { Gatehouse } from "./gatehouse.ts";
import { CoolDowns } from "./cool-downs.ts";
import { bytesOf, type QueueEntry, type Lane, type OpenRequest } from "./lane.ts";
import { Lanes } from "./lanes.ts";
import { createLedgers, type Ledgers } from "./ledger.ts";
import { Loading } from "./loading.ts";
import { Portions } from "./portions.ts";
import { ReadyQueue } from "./ready-queue.ts";
import { Slots } from "./slots.ts";
import { SlowWatch } from "./slow-watch.ts";
import type { WebhookCache } from "./webhook-cache.ts";

/**
 * Deliveries in memory, webhook by webhook in turn.
 *
 * lane ready --its turn--> webhook not read yet -> loading --read--> ready, before all others
 *                      --> host, address or share full -> waiting there --offered a slot--> ready, before most others
 *                      --> a gate says when -> parked there --its time comes, or it is woken--> ready
 *                      --> a gate says much later, or too much is parked -> all given back; held until then
 *                      --> one delivery goes out; the lane goes to the end of the queue
 *
 * Caps: open requests per webhook (a new one starts at 2), per host name and port, per address, in all. Webhooks
 * that failed or were slow last time share 30 % of the slots and those that never answered well 40 %, so that those
 * that hang cannot take the rest. Of suspects of one level only so many go at one time (`suspect-slots.ts`).
 */
export interface FairQueueOptions {
  cache: Pick<WebhookCache, "peek" | "load">;
  now: () => number;
  concurrency: number;
  webhookConcurrency: number;
  hostConcurrency: number;
  addressConcurrency: number;
  queueBytes: number;
  queueShare: number;
  /** Requests that may begin in one go. */
  portion: number;
  /** All must let a webhook's request go; the first that does not says when. */
  gates: readonly Gate[];
  /** True: no further request may start now. Anyone who makes it false again calls `pump`. */
  choked(): boolean;
  /** Sends one; it must call `finish` exactly once. */
  dispatch(entry: QueueEntry, webhook: SendableWebhook | null, request: OpenRequest): void;
  /** It cannot go for long: its lease is given back. */
  giveBack(entry: QueueEntry): void;
  /** Room was made. */
  drained(): void;
  /** A webhook whose share was used up has room for half of it again: more of it can be claimed. */
  shareFreed(): void;
}

const SLOW_MS = 1000;
/** Webhooks being read at one moment: those of deliveries whose turn is far away would be read twice. */
const READ_AHEAD = 256;
/** Portions that may wait in memory before the sending side counts as behind. */
const AHEAD = 16;
/** Of a webhook's share, next to it: what is accepted while a backlog takes all of it. */
const FRESH_PART = 0.1;

export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #lanes: Lanes;
  readonly #ready = new ReadyQueue();
  readonly #loading = new Loading();
  readonly #slots: Slots;
  readonly #full = new Set<Lane>();
  readonly coolDowns = new CoolDowns();
  /** What slow webhooks, and those that wait, hold of the memory. */
  readonly ledgers: Ledgers;
  readonly #gatehouse: Gatehouse;
  readonly #watch: SlowWatch;
  readonly #openRequests = new Set<OpenRequest>();
  #bytes = 0;
  #count = 0;
  #pumping = false;
  readonly #idlers: (() => void)[] = [];
  readonly #portions: Portions;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.ledgers = createLedgers(options.queueBytes);
    this.#gatehouse = new Gatehouse(options.gates, options.now, this.ledgers.gates, (lanes) => {
      this.#ready.addFirst(lanes);
      this.pump();
    });
    this.#watch = new SlowWatch(this.#openRequests, options.now, SLOW_MS, (request) => {
      this.#slots.becameSlow(request);
      this.#pauseIfTooMuch(request.lane);
      this.pump();
    });
    this.#portions = new Portions({
      size: options.portion,
      next: () => this.pump(),
      muchLeft: () => this.#count > AHEAD * options.portion,
    });
    this.#slots = new Slots(options, this.ledgers.slots);
    this.#lanes = new Lanes(this.ledgers);
  }

  get open(): number {
    return this.#openRequests.size;
  }

  get size(): number {
    return this.#count;
  }

  get slowOpen(): number {
    return this.#slots.slowOpen;
  }

  /** Bytes that may still be queued. */
  get room(): number {
    return Math.max(0, this.#options.queueBytes - this.#bytes);
  }

  get averageBytes(): number {
    return this.#count === 0 ? 0 : this.#bytes / this.#count;
  }

  /** Webhooks of which nothing more may be taken: their share is used up, or their receiver asked for a pause. */
  get full(): number[] {
    return this.#fullBut(() => true);
  }

  /** The same for what is accepted now: a few of these are taken also where a backlog has used up the share. */
  get fullForFresh(): number[] {
    return this.#fullBut((lane) => lane.fresh >= this.#options.queueShare * FRESH_PART);
  }

  #fullBut(isFull: (lane: Lane) => boolean): number[] {
    const full = new Set(this.coolDowns.at(this.#options.now()));
    for (const lane of this.#full) if (isFull(lane)) full.add(lane.no);
    return [...full];
  }

  push(entry: readonly QueueEntry[]): void {
    const now = this.#options.now();
    for (const one of entry) {
      const lane = this.#lanes.of(one);
      if (!one.delivery.probe && this.#isUnwanted(lane, now)) {
        this.#options.giveBack(one);
        this.#lanes.forgetIfIdle(lane);
        continue;
      }
      lane.push(one);
      this.#bytes += bytesOf(one);
      this.#count += 1;
      if (lane.length >= this.#options.queueShare) this.#full.add(lane);
      if (one.fresh === true && this.#slots.passSuspects(lane)) this.#ready.addFirst([lane]);
      else this.#ready.add(lane);
    }
    this.pump();
  }

  /** Its webhook was read: its turn comes again. */
  webhooksLoaded(nos: readonly number[]): void {
    this.#ready.addRead(this.#loading.take(nos));
    this.pump();
  }

  /** Drops what is queued under this instance (all, if null); open requests go on. */
  drop(instanceNo: number | null): void {
    for (const lane of this.#lanes.all()) {
      const kept = lane.clear().filter((entry) => {
        if (instanceNo !== null && entry.instanceNo !== instanceNo) return true;
        this.#bytes -= bytesOf(entry);
        this.#count -= 1;
        return false;
      });
      for (const entry of kept) lane.push(entry);
      this.#leaveFull(lane);
      this.#lanes.forgetIfIdle(lane);
    }
  }

  /** An exchange ended: frees its slots and learns from it. Null: nothing was sent, so nothing is learned. */
  finish(request: OpenRequest, ok: boolean | null, address: string | null): void {
    if (!this.#openRequests.delete(request)) return;
    const { lane, webhook } = request;
    lane.open -= 1;
    if (ok !== null) this.#judge(request, ok, this.#options.now() - request.startedAt);
    this.#ready.addFirst(this.#slots.close(request, address));
    this.#ready.add(lane);
    this.#lanes.forgetIfIdle(lane);
    if (webhook !== null) this.#gatehouse.leave(webhook, ok !== null);
    this.#endPauseForRoom();
    if (this.open === 0) for (const idler of this.#idlers.splice(0)) idler();
    this.pump();
  }

  pump(): void {
    // Dispatching may end at once and pump again: one loop is enough.
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (
        this.#openRequests.size < this.#options.concurrency &&
        this.#loading.size < READ_AHEAD &&
        !this.#ready.isEmpty &&
        !this.#portions.resting &&
        !this.#options.choked()
      ) {
        const lane = this.#ready.next();
        if (lane !== undefined) this.#turn(lane);
      }
    } finally {
      this.#pumping = false;
    }
    if (this.room > 0) this.#options.drained();
  }

  /** Anyone who brings more waits for it, or what has been accepted piles up in memory. */
  async caughtUp(): Promise<void> {
    await this.#portions.caughtUp();
  }

  /** Resolves when no request is open. */
  async idle(): Promise<void> {
    if (this.open > 0) await new Promise<void>((resolve) => this.#idlers.push(resolve));
  }

  /** A gate has room again for what waits under this key. */
  wake(key: string): void {
    this.#gatehouse.wake(key);
  }

  close(): void {
    this.#gatehouse.close();
    this.#watch.close();
  }

  #turn(lane: Lane): void {
    const mayGo = lane.length > 0 && lane.open < lane.limit;
    const webhook = mayGo ? this.#options.cache.peek(lane.no) : null;
    if (webhook === undefined) {
      this.#load(lane);
      return;
    }
    const permits = this.#slots.answer(lane);
    const went = mayGo && this.#try(lane, webhook);
    if (permits.length > 0) this.#ready.addFirst(this.#slots.passOn(lane, permits, mayGo && !went));
    else if (went) lane.refused = 0;
    if (!mayGo) this.#lanes.forgetIfIdle(lane);
  }

  /** False: it waits for something. */
  #try(lane: Lane, webhook: SendableWebhook | null): boolean {
    const host = webhook?.host ?? "";
    const address = this.#slots.addressOf(host);
    const share = this.#slots.shareOf(lane, host);
    if (webhook !== null) {
      if (this.#slots.wait(lane, { host, address }, share)) {
        this.#pauseIfTooMuch(lane);
        return false;
      }
      const verdict = this.#gatehouse.judge(lane, webhook);
      if (verdict === "parked") {
        this.#pauseIfTooMuch(lane);
        return false;
      }
      if (verdict !== "go") {
        this.coolDowns.add(lane.no, verdict.until);
        this.#giveBack(lane);
        return false;
      }
    }
    const entry = this.#take(lane);
    if (entry === undefined) return false;
    const startedAt = this.#options.now();
    const { slow } = lane;
    const { suspicion } = entry.delivery;
    const request: OpenRequest = {
      lane,
      startedAt,
      host,
      address,
      share,
      suspicion,
      slow,
      webhook,
    };
    if (webhook !== null) this.#gatehouse.enter(webhook);
    lane.open += 1;
    this.#slots.open(request);
    this.#openRequests.add(request);
    this.#watch.start();
    this.#portions.count();
    this.#options.dispatch(entry, webhook, request);
    this.#ready.add(lane);
    return true;
  }

  #take(lane: Lane): QueueEntry | undefined {
    const entry = lane.shift();
    if (entry === undefined) return undefined;
    this.#bytes -= bytesOf(entry);
    this.#count -= 1;
    if (this.#leaveFull(lane)) this.#options.shareFreed();
    return entry;
  }

  /** It is left alone already, or its kind takes more memory than it may and this would add to that. */
  #isUnwanted(lane: Lane, now: number): boolean {
    if (this.coolDowns.until(lane.no) > now) return true;
    if (!lane.isTooMuch) return false;
    this.coolDowns.pause(lane.no, now);
    return true;
  }

  #pauseIfTooMuch(lane: Lane): void {
    if (lane.length === 0 || !lane.isTooMuch) return;
    this.coolDowns.pause(lane.no, this.#options.now());
    this.#giveBack(lane);
  }

  /**
   * Memory is free again: one that was left alone for want of it may come, before its time. One for each request that
   * ended, so that they come as fast as room is made.
   */
  #endPauseForRoom(): void {
    const { slow, slots, gates } = this.ledgers;
    if (!slow.hasRoom || !slots.hasRoom || !gates.hasRoom) return;
    if (this.coolDowns.endFirstPause(this.#options.now())) this.#options.shareFreed();
  }

  /** All of it. Before this it is held, so that room made here is not filled with more of the same. */
  #giveBack(lane: Lane): void {
    for (let entry = this.#take(lane); entry !== undefined; entry = this.#take(lane)) {
      this.#options.giveBack(entry);
    }
    this.#lanes.forgetIfIdle(lane);
  }

  #leaveFull(lane: Lane): boolean {
    return lane.length <= this.#options.queueShare / 2 && this.#full.delete(lane);
  }

  #load(lane: Lane): void {
    lane.queued = true;
    this.#loading.add(lane);
    this.#options.cache.load(lane.no);
  }

  #judge({ lane, host }: OpenRequest, ok: boolean, ms: number): void {
    const well = ok && ms <= SLOW_MS;
    lane.slow = !well;
    lane.proven ||= well;
    this.#slots.judged(host, well);
    if (this.#slots.leave(lane, host)) this.#ready.addFirst([lane]);
    if (!well) this.#pauseIfTooMuch(lane);
    // What was given back for its memory, or for want of a slot, may come now.
    else if (this.coolDowns.endPause(lane.no)) this.#options.shareFreed();
    if (lane.suspect) return;
    lane.limit = ok
      ? Math.min(this.#options.webhookConcurrency, lane.limit + 1)
      : Math.max(1, Math.floor(lane.limit / 2));
  }
}
