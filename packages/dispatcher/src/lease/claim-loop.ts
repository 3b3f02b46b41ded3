import type { DeliveryStore, OrderPair, QueuedDelivery } from "@markethook/store";
import type { Observer } from "../wiring/observer.ts";

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
export interface ClaimLoop {
  wake(): void;
  wakeIn(ms: number): void;
  /** Call when a delivery of this order key has ended: the next one behind it may go. */
  ended(pair: OrderPair): void;
  /** Call when deliveries wait behind an earlier one of these keys. */
  blocked(pairs: readonly OrderPair[]): void;
  roomMade(): void;
  stop(): Promise<void>;
}

export interface ClaimLoopOptions {
  deliveries: Pick<DeliveryStore, "claim">;
  /** Begins to take leases. Null: none may be taken now. Each returned instance must be passed to `took` once. */
  take(): number | null;
  /** Null: the claim failed, so it is not known which deliveries it took. */
  took(instanceNo: number, deliveries: readonly QueuedDelivery[] | null): void;
  /** Free bytes in memory. */
  room(): number;
  /** Reserves this many bytes of the room, or gives them back if negative: an accept may get room meanwhile. */
  reserve(bytes: number): void;
  /** Average size of deliveries in memory; the size of a claim's deliveries is not known in advance. */
  averageBytes(): number;
  full(): number[];
  share: number;
  pollMs: number;
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

export function createClaimLoop(options: ClaimLoopOptions): ClaimLoop {
  const { now, observer } = options;
  let cursor = 0;
  /** Expected number of waiting webhooks, from the last circle and this one. At first many are assumed. */
  let expected = WEBHOOKS;
  let visitedInCircle = 0;
  /** Average size in the last claim that found something. */
  let claimedBytes = 0;
  /** Time that this circle has taken without finding anything. */
  let emptyMs = 0;
  let failures = 0;
  let restUntil = 0;
  let foundInCircle = false;
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  let timer: NodeJS.Timeout | null = null;
  let timerAt = Infinity;
  let waitingForRoom = false;
  const watched = new Set<string>();
  const hints = new Map<string, OrderPair>();

  async function circle(): Promise<void> {
    do {
      again = false;
      while (!stopped && (await step()));
    } while (again && !stopped && failures === 0);
    running = null;
    if (!stopped) sleep(Math.max(options.pollMs, restUntil - now()));
  }

  /** Closes the circle. Returns whether another one should follow at once. */
  function closeCircle(): boolean {
    const goOn = foundInCircle || hints.size > 0;
    restUntil = now() + Math.min(emptyMs * REST, LONGEST_REST_MS);
    expected = visitedInCircle === 0 ? WEBHOOKS : Math.min(WEBHOOKS, visitedInCircle);
    visitedInCircle = 0;
    emptyMs = 0;
    foundInCircle = false;
    return goOn;
  }

  /**
   * Takes few rows of each webhook if many wait, and more of each if few wait; otherwise a single large backlog would
   * be slow. The sum never exceeds the free room, even if suddenly many wait.
   */
  function portion(): { webhooks: number; perWebhook: number; bytes: number } {
    const rowBytes = Math.max(1, claimedBytes, options.averageBytes());
    const rows = Math.min(ROWS, Math.floor(options.room() / rowBytes));
    const each = Math.max(FEW_ROWS, Math.floor(rows / expected));
    const perWebhook = Math.min(options.share, each);
    // One more than needed, to see that the circle is closed.
    const webhooks = Math.min(WEBHOOKS, Math.floor(rows / perWebhook) + 1);
    return { webhooks, perWebhook, bytes: rows * rowBytes };
  }

  /** Returns false if there is nothing to do now. */
  async function step(): Promise<boolean> {
    if (options.room() < ENOUGH_ROOM) {
      waitingForRoom = true;
      return false;
    }
    const instanceNo = options.take();
    if (instanceNo === null) return false;
    const taken = [...hints].slice(0, HINTS);
    for (const [key] of taken) hints.delete(key);
    const startedAt = now();
    const { bytes, ...limits } = portion();
    options.reserve(bytes);
    const outcome = await options.deliveries
      .claim({
        instanceNo,
        cursor,
        ...limits,
        hints: taken.map(([, pair]) => pair),
        full: options.full(),
      })
      .catch((error: unknown) => {
        observer.fault("claim", error);
        return null;
      });
    options.reserve(-bytes);
    options.took(instanceNo, outcome?.deliveries ?? null);
    if (outcome === null) {
      for (const [key, pair] of taken) hints.set(key, pair);
      restUntil = now() + Math.min(options.pollMs * 2 ** failures, LONGEST_REST_MS);
      failures += 1;
      return false;
    }
    failures = 0;
    const ms = now() - startedAt;
    cursor = outcome.cursor;
    visitedInCircle += outcome.visited;
    // The circle is not finished: there may be as many again.
    if (cursor !== 0) expected = Math.min(WEBHOOKS, Math.max(expected, visitedInCircle * 2));
    watch(outcome.blocked);
    if (outcome.deliveries.length > 0) {
      observer.claimed({ deliveries: outcome.deliveries.length, visited: outcome.visited, ms });
      foundInCircle = true;
      const size = outcome.deliveries.reduce((sum, { payload }) => sum + payload.length, 0);
      claimedBytes = size / outcome.deliveries.length;
    } else {
      emptyMs += ms;
    }
    return cursor !== 0 || closeCircle();
  }

  function watch(pairs: readonly OrderPair[]): void {
    if (watched.size > WATCHED_KEYS) watched.clear();
    for (const pair of pairs) watched.add(keyOf(pair));
  }

  function sleep(ms: number): void {
    const at = now() + ms;
    if (timer !== null && timerAt <= at) return;
    if (timer !== null) clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(() => {
      timer = null;
      timerAt = Infinity;
      wake();
    }, ms);
  }

  function wake(): void {
    if (stopped) return;
    if (running !== null) again = true;
    else if (failures > 0 && now() < restUntil) sleep(restUntil - now());
    else running = circle();
  }

  return {
    wake,
    wakeIn(ms) {
      // The poll finds deliveries that are due after it; only those due before need a timer.
      if (!stopped && ms < options.pollMs) sleep(ms);
    },
    ended(pair) {
      if (watched.size === 0) return;
      const key = keyOf(pair);
      if (!watched.has(key)) return;
      hints.set(key, pair);
      wake();
    },
    blocked: watch,
    roomMade() {
      if (!waitingForRoom || options.room() < ENOUGH_ROOM) return;
      waitingForRoom = false;
      wake();
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}

function keyOf(pair: OrderPair): string {
  return `${pair.webhookNo} ${pair.orderKey}`;
}
