import type { SendableWebhook } from "@markethook/store";
import { Caps } from "./caps.ts";
import { Holds } from "./holds.ts";
import { bytesOf, type Held, hostKey, Lane, type OpenRequest, type Share } from "./lane.ts";
import { ReadyQueue } from "./ready-queue.ts";
import type { WebhookCache } from "./webhook-cache.ts";

/**
 * Deliveries in memory, webhook by webhook in turn.
 *
 * lane ready --its turn--> webhook not read yet -> loading --read--> ready
 *                      --> host, address or share full -> waiting there --one closes--> ready
 *                      --> one delivery goes out; the lane goes to the end of the queue
 *
 * Caps: open requests per webhook (a new one starts at 2), per host name and port, per address, in all. Webhooks
 * that failed or were slow last time share 30 % of the slots and those that never answered well 40 %, so that those
 * that hang cannot take the rest. Suspects go one at a time: if one of them ends this process, it is known which.
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
  /** Rescues after which a delivery is a suspect. */
  suspectAfter: number;
  /** True: no further request may start now. Whoever makes it false again calls `pump`. */
  choked(): boolean;
  /** Sends one; it must call `finish` exactly once. */
  dispatch(held: Held, webhook: SendableWebhook | null, request: OpenRequest): void;
  /** Room was made. */
  drained(): void;
  /** A webhook whose share was used up has room for half of it again: more of it can be claimed. */
  shareFreed(): void;
}

const FIRST_LIMIT = 2;
const SLOW_MS = 1000;
const SLOW_PART = 0.3;
const NEW_PART = 0.4;
const WATCH_MS = 250;
const IDLE_LANES = 5000;

export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #lanes = new Map<number, Lane>();
  readonly #suspects = new Map<number, Lane>();
  readonly #ready = new ReadyQueue();
  readonly #loading = new Map<number, Set<Lane>>();
  readonly #hosts: Caps<Lane>;
  readonly #addresses: Caps<Lane>;
  readonly #shares: Readonly<Record<Share, Caps<Lane>>>;
  readonly #addressOf = new Map<string, string>();
  readonly #full = new Set<Lane>();
  readonly holds = new Holds();
  readonly #openRequests = new Set<OpenRequest>();
  #bytes = 0;
  #count = 0;
  #watch: NodeJS.Timeout | null = null;
  #pumping = false;
  readonly #idlers: (() => void)[] = [];

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#hosts = new Caps(options.hostConcurrency);
    this.#addresses = new Caps(options.addressConcurrency);
    const part = (of: number): Caps<Lane> =>
      new Caps(Math.max(1, Math.floor(options.concurrency * of)));
    this.#shares = { suspect: new Caps(1), slow: part(SLOW_PART), new: part(NEW_PART) };
  }

  get open(): number {
    return this.#openRequests.size;
  }

  get size(): number {
    return this.#count;
  }

  get slowOpen(): number {
    return this.#shares.slow.count("slow");
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
    const full = new Set(this.holds.at(this.#options.now()));
    for (const lane of this.#full) full.add(lane.no);
    return [...full];
  }

  push(held: readonly Held[]): void {
    for (const one of held) {
      const lane = this.#laneOf(one);
      lane.push(one);
      this.#bytes += bytesOf(one);
      this.#count += 1;
      if (lane.length >= this.#options.queueShare) this.#full.add(lane);
      this.#ready.add(lane);
    }
    this.pump();
  }

  /** Its webhook was read: its turn comes again. */
  webhooksLoaded(nos: readonly number[]): void {
    for (const no of nos) {
      const lanes = this.#loading.get(no);
      if (lanes === undefined) continue;
      this.#loading.delete(no);
      this.#ready.addAgain([...lanes]);
    }
    this.pump();
  }

  /** Drops what is queued under this life (all, if null); open requests go on. */
  drop(life: number | null): void {
    for (const lane of [...this.#lanes.values(), ...this.#suspects.values()]) {
      const kept = lane.clear().filter((held) => {
        if (life !== null && held.life !== life) return true;
        this.#bytes -= bytesOf(held);
        this.#count -= 1;
        return false;
      });
      for (const held of kept) lane.push(held);
      this.#leaveFull(lane);
      this.#forgetIfIdle(lane);
    }
  }

  /** An exchange ended: frees its slots and learns from it. Null: nothing was sent, so nothing is learned. */
  finish(request: OpenRequest, ok: boolean | null, address: string | null): void {
    if (!this.#openRequests.delete(request)) return;
    const { lane, share } = request;
    lane.open -= 1;
    if (ok !== null) this.#judge(lane, ok, this.#options.now() - request.startedAt);
    if (address !== null) this.#learn(request.host, address);
    this.#ready.addAgain(this.#hosts.close(request.host));
    if (request.address !== null) this.#ready.addAgain(this.#addresses.close(request.address));
    if (share !== null) this.#ready.addAgain(this.#shares[share].close(share));
    this.#ready.add(lane);
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
        !this.#ready.isEmpty &&
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
      this.#load(lane);
      return;
    }
    const host = webhook === null ? "" : hostKey(webhook);
    const address = this.#addressOf.get(host) ?? null;
    const { share } = lane;
    if (webhook !== null && this.#mustWait(lane, host, address, share)) return;
    const held = lane.shift();
    if (held === undefined) return;
    this.#bytes -= bytesOf(held);
    this.#count -= 1;
    if (this.#leaveFull(lane)) this.#options.shareFreed();
    const request: OpenRequest = { lane, startedAt: this.#options.now(), host, address, share };
    lane.open += 1;
    this.#hosts.open(host);
    if (address !== null) this.#addresses.open(address);
    if (share !== null) this.#shares[share].open(share);
    this.#openRequests.add(request);
    this.#watch ??= setInterval(() => this.#watchSlow(), WATCH_MS).unref();
    this.#options.dispatch(held, webhook, request);
    this.#ready.add(lane);
  }

  #leaveFull(lane: Lane): boolean {
    return lane.length <= this.#options.queueShare / 2 && this.#full.delete(lane);
  }

  #load(lane: Lane): void {
    lane.queued = true;
    const loading = this.#loading.get(lane.no);
    if (loading === undefined) this.#loading.set(lane.no, new Set([lane]));
    else loading.add(lane);
    this.#options.cache.load(lane.no);
  }

  #mustWait(lane: Lane, host: string, address: string | null, share: Share | null): boolean {
    if (this.#hosts.isFull(host)) this.#hosts.wait(host, lane);
    else if (address !== null && this.#addresses.isFull(address))
      this.#addresses.wait(address, lane);
    else if (share !== null && this.#shares[share].isFull(share))
      this.#shares[share].wait(share, lane);
    else return false;
    lane.queued = true;
    return true;
  }

  /** What has been open for a second counts as slow from then on, before it ends. */
  #watchSlow(): void {
    const before = this.#options.now() - SLOW_MS;
    for (const request of this.#openRequests) {
      // In order of start: the first young one ends the walk.
      if (request.startedAt > before) break;
      request.lane.slow = true;
      if (request.share !== null) continue;
      request.share = "slow";
      this.#shares.slow.open("slow");
    }
    if (this.#openRequests.size === 0) this.close();
  }

  #judge(lane: Lane, ok: boolean, ms: number): void {
    const { share } = lane;
    lane.slow = !ok || ms > SLOW_MS;
    lane.proven ||= !lane.slow;
    // It needs no slot of the share that it may be waiting for any more.
    if (share !== null && share !== lane.share && this.#shares[share].leave(share, lane)) {
      this.#ready.addAgain([lane]);
    }
    if (lane.suspect) return;
    lane.limit = ok
      ? Math.min(this.#options.webhookConcurrency, lane.limit + 1)
      : Math.max(1, Math.floor(lane.limit / 2));
  }

  #learn(host: string, address: string): void {
    if (this.#addressOf.size > IDLE_LANES) this.#addressOf.clear();
    this.#addressOf.set(host, address);
  }

  #laneOf({ delivery }: Held): Lane {
    const no = delivery.webhookNo;
    const suspect = delivery.rescues >= this.#options.suspectAfter;
    const lanes = suspect ? this.#suspects : this.#lanes;
    let lane = lanes.get(no);
    if (lane === undefined) {
      lane = new Lane(no, suspect ? 1 : FIRST_LIMIT, suspect);
      lanes.set(no, lane);
    }
    return lane;
  }

  /** What is learned of idle webhooks is kept for the most recent ones only. */
  #forgetIfIdle(lane: Lane): void {
    if (lane.length > 0 || lane.open > 0 || lane.queued) return;
    if (lane.suspect) this.#suspects.delete(lane.no);
    else if (this.#lanes.size > IDLE_LANES) this.#lanes.delete(lane.no);
  }
}
