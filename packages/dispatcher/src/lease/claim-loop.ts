import type { DeliveryStore, OrderPair } from "@markethook/store";
import type { FairQueue } from "../queue/fair-queue.ts";
import type { MemoryBudget } from "../queue/memory-ledger.ts";
import type { Observer } from "../wiring/observer.ts";
import type { DispatcherSettings } from "../wiring/settings.ts";
import type { Leases } from "./leases-and-lost-answers.ts";

export interface ClaimLoopOptions {
  deliveries: Pick<DeliveryStore, "claim">;
  leases: Pick<Leases, "take" | "took">;
  /** A claim reserves what it may need: an accept may get room meanwhile. */
  room: MemoryBudget;
  queue: Pick<FairQueue, "averageBytes" | "full">;
  settings: Pick<DispatcherSettings, "queueShare" | "pollMs">;
  /** Aside: others do the sending. Then only a few are claimed, to try the network. */
  outage: { readonly isAside: boolean };
  now: () => number;
  observer: Observer;
}

const WEBHOOKS = 100;
const FEW_ROWS = 2;
const ROWS = 256;
const HINTS = 200;
const WATCHED_KEYS = 100_000;
/** With less free room the loop waits. */
const ENOUGH_ROOM = 1024 * 1024;
/** A circle may take at most a sixth of the time. */
const REST = 5;
/** Longest pause after a long circle or a database fault. */
const LONGEST_REST_MS = 2000;
/** Deliveries that an instance claims at once while it stands aside. Each may cost an attempt. */
const TRIED = 4;
/** Time between two such claims, in polls of an idle loop. */
const TRY_EVERY_POLLS = 20;

/**
 * Claims waiting deliveries while there is room in memory.
 *
 * idle --woken, or the poll time is over--> claiming
 * claiming --found some, or the circle is not closed--> claiming
 * claiming --a whole circle without a delivery--> idle
 * claiming --no room--> full --room was made--> claiming
 * claiming --the database fails--> resting, twice as long each time, whatever wakes it --over--> claiming
 *
 * A wake-up is only a hint and may be lost; the loop relies on polling. Its pause grows with the duration of a circle,
 * so that an idle loop over many webhooks costs the database little.
 */
export class ClaimLoop {
  readonly #options: ClaimLoopOptions;
  #cursor = 0;
  /** Expected number of waiting webhooks, from the last circle and this one. At first many are assumed. */
  #expected = WEBHOOKS;
  #visitedInCircle = 0;
  /** Average size in the last claim that found something. */
  #claimedBytes = 0;
  /** Time that this circle has taken without finding anything. */
  #emptyMs = 0;
  #failures = 0;
  #restUntil = 0;
  #tryAt = 0;
  #foundInCircle = false;
  #running: Promise<void> | null = null;
  #again = false;
  #stopped = false;
  #timer: NodeJS.Timeout | null = null;
  #timerAt = Infinity;
  #waitingForRoom = false;
  readonly #watched = new Set<string>();
  readonly #hints = new Map<string, OrderPair>();

  constructor(options: ClaimLoopOptions) {
    this.#options = options;
  }

  wake(): void {
    if (this.#stopped) return;
    const { now } = this.#options;
    if (this.#running !== null) this.#again = true;
    else if (this.#failures > 0 && now() < this.#restUntil) this.#sleep(this.#restUntil - now());
    else this.#running = this.#circle();
  }

  wakeIn(ms: number): void {
    // The poll finds deliveries that are due after it; only those due before need a timer.
    if (!this.#stopped && ms < this.#options.settings.pollMs) this.#sleep(ms);
  }

  /** Call when a delivery of this order key has ended: the next one behind it may go. */
  ended(pair: OrderPair): void {
    if (this.#watched.size === 0) return;
    const key = keyOf(pair);
    if (!this.#watched.has(key)) return;
    this.#hints.set(key, pair);
    this.wake();
  }

  /** Call when deliveries wait behind an earlier one of these keys. */
  blocked(pairs: readonly OrderPair[]): void {
    if (this.#watched.size > WATCHED_KEYS) this.#watched.clear();
    for (const pair of pairs) this.#watched.add(keyOf(pair));
  }

  roomMade(): void {
    if (!this.#waitingForRoom || this.#options.room.free() < ENOUGH_ROOM) return;
    this.#waitingForRoom = false;
    this.wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
  }

  async #circle(): Promise<void> {
    do {
      this.#again = false;
      while (!this.#stopped && (await this.#step()));
    } while (this.#again && !this.#stopped && this.#failures === 0);
    this.#running = null;
    const { settings, now } = this.#options;
    if (!this.#stopped) this.#sleep(Math.max(settings.pollMs, this.#restUntil - now()));
  }

  /** Closes the circle. Returns whether another one should follow at once. */
  #closeCircle(): boolean {
    const goOn = this.#foundInCircle || this.#hints.size > 0;
    this.#restUntil = this.#options.now() + Math.min(this.#emptyMs * REST, LONGEST_REST_MS);
    this.#expected =
      this.#visitedInCircle === 0 ? WEBHOOKS : Math.min(WEBHOOKS, this.#visitedInCircle);
    this.#visitedInCircle = 0;
    this.#emptyMs = 0;
    this.#foundInCircle = false;
    return goOn;
  }

  /**
   * Takes few rows of each webhook if many wait, and more of each if few wait; otherwise a single large backlog would
   * be slow. The sum never exceeds the free room, even if suddenly many wait.
   */
  #portion(): { webhooks: number; perWebhook: number; bytes: number } {
    const { room, queue, settings } = this.#options;
    // The size of a claim's deliveries is not known in advance.
    const rowBytes = Math.max(1, this.#claimedBytes, queue.averageBytes);
    const rows = Math.min(ROWS, Math.floor(room.free() / rowBytes));
    if (this.#options.outage.isAside) {
      return { webhooks: TRIED, perWebhook: 1, bytes: TRIED * rowBytes };
    }
    const each = Math.max(FEW_ROWS, Math.floor(rows / this.#expected));
    const perWebhook = Math.min(settings.queueShare, each);
    // One more than needed, to see that the circle is closed.
    const webhooks = Math.min(WEBHOOKS, Math.floor(rows / perWebhook) + 1);
    return { webhooks, perWebhook, bytes: rows * rowBytes };
  }

  /** Returns false if there is nothing to do now. */
  async #step(): Promise<boolean> {
    const { leases, room, settings, now, observer } = this.#options;
    if (room.free() < ENOUGH_ROOM) {
      this.#waitingForRoom = true;
      return false;
    }
    const { isAside } = this.#options.outage;
    if (isAside && now() < this.#tryAt) return false;
    const instanceNo = leases.take(isAside);
    if (instanceNo === null) return false;
    if (isAside) this.#tryAt = now() + TRY_EVERY_POLLS * settings.pollMs;
    const taken = isAside ? [] : [...this.#hints].slice(0, HINTS);
    for (const [key] of taken) this.#hints.delete(key);
    const startedAt = now();
    const { bytes, ...limits } = this.#portion();
    room.reserve(bytes);
    const outcome = await this.#options.deliveries
      .claim({
        instanceNo,
        cursor: this.#cursor,
        ...limits,
        hints: taken.map(([, pair]) => pair),
        full: this.#options.queue.full,
      })
      .catch((error: unknown) => {
        observer.fault("claim", error);
        return null;
      });
    room.reserve(-bytes);
    leases.took(instanceNo, outcome?.deliveries ?? null, { toTry: isAside });
    if (outcome === null) {
      for (const [key, pair] of taken) this.#hints.set(key, pair);
      const { pollMs } = this.#options.settings;
      const rest = Math.min(pollMs * 2 ** this.#failures, LONGEST_REST_MS);
      this.#restUntil = now() + rest;
      this.#failures += 1;
      return false;
    }
    this.#failures = 0;
    const ms = now() - startedAt;
    this.#cursor = outcome.cursor;
    this.#visitedInCircle += outcome.visited;
    // The circle is not finished: there may be as many again.
    if (this.#cursor !== 0) {
      this.#expected = Math.min(WEBHOOKS, Math.max(this.#expected, this.#visitedInCircle * 2));
    }
    this.blocked(outcome.blocked);
    if (outcome.deliveries.length > 0) {
      observer.claimed({ deliveries: outcome.deliveries.length, visited: outcome.visited, ms });
      this.#foundInCircle = true;
      const size = outcome.deliveries.reduce((sum, { payload }) => sum + payload.length, 0);
      this.#claimedBytes = size / outcome.deliveries.length;
    } else {
      this.#emptyMs += ms;
    }
    return this.#cursor !== 0 || this.#closeCircle();
  }

  #sleep(ms: number): void {
    const at = this.#options.now() + ms;
    if (this.#timer !== null && this.#timerAt <= at) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#timerAt = Infinity;
      this.wake();
    }, ms);
  }
}

function keyOf(pair: OrderPair): string {
  return `${pair.webhookNo} ${pair.orderKey}`;
}
