import type { SendableWebhook } from "@markethook/store";
import { Caps } from "./caps.ts";
import { type Held, hostKey, Lane, type OpenRequest } from "./lane.ts";
import type { WebhookCache } from "./webhook-cache.ts";

/**
 * Deliveries in memory, webhook by webhook in turn.
 *
 * lane ready --its turn--> webhook not read yet -> loading --read--> ready
 *                      --> host, address or slow lane full -> waiting there --one closes--> ready
 *                      --> one delivery goes out; the lane goes to the end of the queue
 *
 * Caps: open requests per webhook (a new one starts at 2), per host name and port, per address, in all; webhooks
 * that failed or were slow last time share 30 % of the slots, so that those that hang cannot take the rest.
 */
export interface FairQueueOptions {
  cache: WebhookCache;
  now: () => number;
  concurrency: number;
  webhookConcurrency: number;
  hostConcurrency: number;
  addressConcurrency: number;
  queueBytes: number;
  queueShare: number;
  /** True: no further request may start now (too much is not settled yet). */
  choked(): boolean;
  /** Sends one; it must call `finish` exactly once. */
  dispatch(held: Held, webhook: SendableWebhook | null, request: OpenRequest): void;
  /** Room was made. */
  drained(): void;
}

const FIRST_LIMIT = 2;
const SLOW_MS = 1000;
const SLOW_SHARE = 0.3;
/** What a queued delivery costs besides its payload. */
const ITEM_BYTES = 512;
const WATCH_MS = 250;
const IDLE_LANES = 20_000;

export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #lanes = new Map<number, Lane>();
  #ready: Lane[] = [];
  #readyHead = 0;
  readonly #loading = new Set<Lane>();
  readonly #hosts: Caps<Lane>;
  readonly #addresses: Caps<Lane>;
  readonly #addressOf = new Map<string, string>();
  readonly #slowWaiters: Lane[] = [];
  readonly #full = new Set<number>();
  readonly #openRequests = new Set<OpenRequest>();
  #slowOpen = 0;
  #bytes = 0;
  #count = 0;
  #watch: NodeJS.Timeout | null = null;
  #pumping = false;
  readonly #idlers: (() => void)[] = [];

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#hosts = new Caps(options.hostConcurrency);
    this.#addresses = new Caps(options.addressConcurrency);
  }

  get open(): number {
    return this.#openRequests.size;
  }

  get size(): number {
    return this.#count;
  }

  get slowOpen(): number {
    return this.#slowOpen;
  }

  /** Bytes that may still be queued. */
  get room(): number {
    return Math.max(0, this.#options.queueBytes - this.#bytes);
  }

  /** Webhooks whose share is used up. */
  get full(): number[] {
    return [...this.#full];
  }

  push(held: readonly Held[]): void {
    for (const one of held) {
      const lane = this.#lane(one.delivery.webhookNo);
      lane.push(one);
      this.#bytes += bytesOf(one);
      this.#count += 1;
      if (lane.length >= this.#options.queueShare) this.#full.add(lane.no);
      this.#enqueue(lane);
    }
    this.pump();
  }

  /** Its webhook was read: its turn comes again. */
  webhooksLoaded(nos: readonly number[]): void {
    for (const no of nos) {
      const lane = this.#lanes.get(no);
      if (lane !== undefined && this.#loading.delete(lane)) {
        lane.queued = false;
        this.#enqueue(lane);
      }
    }
    this.pump();
  }

  /** The receiver asked to be left alone until then. */
  hold(webhookNo: number, until: number): void {
    const lane = this.#lane(webhookNo);
    lane.holdUntil = Math.max(lane.holdUntil, until);
  }

  heldUntil(webhookNo: number): number {
    return this.#lanes.get(webhookNo)?.holdUntil ?? 0;
  }

  /** Drops what is queued under this life (all, if null); open requests go on. */
  drop(life: number | null): void {
    for (const lane of this.#lanes.values()) {
      const kept = lane.clear().filter((held) => {
        if (life !== null && held.life !== life) return true;
        this.#bytes -= bytesOf(held);
        this.#count -= 1;
        return false;
      });
      for (const held of kept) lane.push(held);
      if (lane.length < this.#options.queueShare) this.#full.delete(lane.no);
    }
  }

  /** An exchange ended: frees its slots and learns from it. */
  finish(request: OpenRequest, ok: boolean | null, address: string | null): void {
    const { lane } = request;
    this.#openRequests.delete(request);
    lane.open -= 1;
    if (request.slow) this.#slowOpen -= 1;
    if (ok !== null) {
      lane.slow = !ok || this.#options.now() - request.startedAt > SLOW_MS;
      lane.limit = ok
        ? Math.min(this.#options.webhookConcurrency, lane.limit + 1)
        : Math.max(1, Math.floor(lane.limit / 2));
    }
    if (address !== null) this.#learn(request.host, address);
    this.#again(this.#hosts.close(request.host));
    if (request.address !== null) this.#again(this.#addresses.close(request.address));
    if (this.#slowOpen < this.#slowCap) {
      this.#again(this.#slowWaiters.splice(0, this.#slowOpen === 0 ? Infinity : 1));
    }
    this.#enqueue(lane);
    this.#forgetIfIdle(lane);
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
        this.#readyHead < this.#ready.length &&
        !this.#options.choked()
      ) {
        const lane = this.#nextReady();
        if (lane !== undefined) this.#turn(lane);
      }
    } finally {
      this.#pumping = false;
    }
    if (this.room > 0) this.#options.drained();
  }

  /** Resolves when no request is open. */
  async idle(): Promise<void> {
    if (this.open > 0) await new Promise<void>((resolve) => this.#idlers.push(resolve));
  }

  close(): void {
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#watch = null;
  }

  #turn(lane: Lane): void {
    if (lane.length === 0 || lane.open >= lane.limit) return;
    const webhook = this.#options.cache.peek(lane.no);
    if (webhook === undefined) {
      lane.queued = true;
      this.#loading.add(lane);
      this.#options.cache.load(lane.no);
      return;
    }
    const host = webhook === null ? "" : hostKey(webhook);
    const address = this.#addressOf.get(host) ?? null;
    if (webhook !== null && this.#mustWait(lane, host, address)) return;
    const held = lane.shift();
    if (held === undefined) return;
    this.#bytes -= bytesOf(held);
    this.#count -= 1;
    if (lane.length < this.#options.queueShare) this.#full.delete(lane.no);
    const request: OpenRequest = {
      lane,
      startedAt: this.#options.now(),
      host,
      address,
      slow: lane.slow,
    };
    lane.open += 1;
    if (request.slow) this.#slowOpen += 1;
    this.#hosts.open(host);
    if (address !== null) this.#addresses.open(address);
    this.#openRequests.add(request);
    this.#watch ??= setInterval(() => this.#watchSlow(), WATCH_MS).unref();
    this.#options.dispatch(held, webhook, request);
    this.#enqueue(lane);
  }

  #mustWait(lane: Lane, host: string, address: string | null): boolean {
    if (this.#hosts.isFull(host)) this.#hosts.wait(host, lane);
    else if (address !== null && this.#addresses.isFull(address))
      this.#addresses.wait(address, lane);
    else if (lane.slow && this.#slowOpen >= this.#slowCap) this.#slowWaiters.push(lane);
    else return false;
    lane.queued = true;
    return true;
  }

  get #slowCap(): number {
    return Math.max(1, Math.floor(this.#options.concurrency * SLOW_SHARE));
  }

  /** What has been open for a second counts as slow from then on, before it ends. */
  #watchSlow(): void {
    const before = this.#options.now() - SLOW_MS;
    for (const request of this.#openRequests) {
      // In order of start: the first young one ends the walk.
      if (request.startedAt > before) break;
      if (request.slow) continue;
      request.slow = true;
      request.lane.slow = true;
      this.#slowOpen += 1;
    }
    if (this.#openRequests.size === 0) this.close();
  }

  #learn(host: string, address: string): void {
    if (this.#addressOf.size > IDLE_LANES) this.#addressOf.clear();
    this.#addressOf.set(host, address);
  }

  #again(lanes: readonly Lane[]): void {
    for (const lane of lanes) {
      lane.queued = false;
      this.#enqueue(lane);
    }
  }

  #enqueue(lane: Lane): void {
    if (lane.queued || lane.length === 0 || lane.open >= lane.limit) return;
    lane.queued = true;
    this.#ready.push(lane);
  }

  #nextReady(): Lane | undefined {
    const lane = this.#ready[this.#readyHead];
    this.#readyHead += 1;
    if (this.#readyHead > 256 && this.#readyHead * 2 > this.#ready.length) {
      this.#ready = this.#ready.slice(this.#readyHead);
      this.#readyHead = 0;
    }
    if (lane !== undefined) lane.queued = false;
    return lane;
  }

  #lane(no: number): Lane {
    let lane = this.#lanes.get(no);
    if (lane === undefined) {
      lane = new Lane(no, FIRST_LIMIT);
      this.#lanes.set(no, lane);
    }
    return lane;
  }

  /** What is learned of idle webhooks is kept for the most recent ones only. */
  #forgetIfIdle(lane: Lane): void {
    if (this.#lanes.size <= IDLE_LANES || lane.length > 0 || lane.open > 0 || lane.queued) return;
    if (lane.holdUntil > this.#options.now()) return;
    this.#lanes.delete(lane.no);
  }
}

function bytesOf(held: Held): number {
  return held.delivery.payload.length + ITEM_BYTES;
}
