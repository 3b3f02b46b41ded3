import type { Ledgers } from "./memory-ledger.ts";
import { type Place, WAIT_REASONS, type Waiter, type WaitReason } from "./place.ts";

/** After this many refusals in a row no other queue gets a permit until there is new room. */
const REFUSALS = 16;
/** A queue that was refused this often keeps its permit while it waits for the next thing that it needs. */
const PATIENCE = 8;
/** A longer wait is spent in the database. */
const LONG_WAIT_MS = 10_000;
/** Places are checked in steps of this, so that many places do not need many timers. */
const TICK_MS = 8;

export function isLong(until: number, now: number): boolean {
  return until !== Infinity && until - now > LONG_WAIT_MS;
}

/**
 * How webhook queues wait, for any reason.
 *
 * turn --a gate names a place--> waits there, first come first served
 *      --its wait would be long--> its deliveries are given back to the database
 * waits --room, and nobody before it--> let out with a permit: has its turn, before most others
 * let out --tried--> used the permit, or passed it on to the next in that place
 *                 --refused often, and waits at a place that is asked later--> keeps the permit
 *
 * A permit counts as taken until its queue has tried. So only as many queues are let out as can go, and no newcomer
 * overtakes them. An unused permit is passed on, but only to a few queues: asking all of them each time would take too
 * long. If nothing under way would ever wake the place again, all are asked.
 *
 * A queue takes everything that it needs, or nothing. A queue that needs two full places would starve, because it finds
 * the other one full each time. So it may keep a permit of the first while it waits at the second; never the other way
 * round, so that no two queues wait for each other. In each place one queue at a time may do so.
 *
 * These wake a place: a permit that is passed on, an open request that ends, the time that it named, or its gate.
 */
export class WaitingRoom {
  readonly #now: () => number;
  readonly #ledgers: Ledgers;
  readonly #out: (queue: Waiter, place: Place) => void;
  readonly #timeCame: () => void;
  readonly #ticks = new Map<number, { timer: NodeJS.Timeout; places: Place[] }>();
  readonly #waiting = Object.fromEntries(WAIT_REASONS.map((one) => [one, 0])) as Record<
    // Object.fromEntries loses the names.
    WaitReason,
    number
  >;

  constructor(options: {
    now: () => number;
    ledgers: Ledgers;
    /** Called when a queue has its turn, with a permit of this place. */
    out(queue: Waiter, place: Place): void;
    /** Called when queues were let out because their time came. */
    timeCame(): void;
  }) {
    this.#now = options.now;
    this.#ledgers = options.ledgers;
    this.#out = options.out;
    this.#timeCame = options.timeCame;
  }

  get waiting(): Readonly<Record<WaitReason, number>> {
    return this.#waiting;
  }

  /**
   * Makes the queue wait. Returns null if it waits at the place, or for its own request to end; a time if the wait is
   * too long for memory.
   */
  wait(queue: Waiter, place: Place): number | null {
    const now = this.#now();
    const until = place.until(now);
    if (isLong(until, now)) return until;
    const line = place.lineFor(queue);
    if (line === null) return null;
    line.push(queue);
    this.#waiting[place.reason] += 1;
    queue.waitIn(place.ledger === null ? null : this.#ledgers[place.ledger]);
    this.#lookAgain(place, until, now);
    return null;
  }

  /** Call when a place has new room, or may have. */
  wake(place: Place): void {
    place.refusals = 0;
    this.#letOut(place);
  }

  leave(queue: Waiter): void {
    const { line } = queue;
    if (line === null || line.place === null) return;
    line.remove(queue);
    this.#left(queue, line.place);
    this.#forgetIfEmpty(line.place);
  }

  /**
   * Call before the queue tries: frees the room that was reserved for it. Returns the permits to pass on afterwards.
   */
  takePermits(queue: Waiter): readonly Place[] {
    const permits = queue.takePermits();
    for (const place of permits) {
      place.permits -= 1;
      if (place.keeper === queue) place.keeper = null;
    }
    return permits;
  }

  /** Call after the queue has tried. `refused`: it had something to send, and could not. */
  passOn(queue: Waiter, taken: readonly Place[], refused: boolean): void {
    if (refused && taken.length > 0) queue.refused += 1;
    for (const place of taken) {
      if (refused) place.refusals += 1;
      if (this.#mayKeep(queue, place)) {
        place.keeper = queue;
        place.permits += 1;
        queue.addPermit(place);
      } else this.#letOut(place);
    }
  }

  close(): void {
    for (const { timer } of this.#ticks.values()) clearTimeout(timer);
    this.#ticks.clear();
  }

  #mayKeep(queue: Waiter, place: Place): boolean {
    const next = queue.line?.place ?? null;
    return (
      queue.refused > PATIENCE &&
      next !== null &&
      next.rank > place.rank &&
      queue.length > 0 &&
      place.keeper === null &&
      place.mayKeep
    );
  }

  #letOut(place: Place): void {
    if (place.waiting === 0) {
      this.#forgetIfEmpty(place);
      return;
    }
    const now = this.#now();
    const until = place.until(now);
    // If the wait has become a long one, all queues ask again.
    const all = isLong(until, now);
    let waiting = place.waiting;
    while (waiting > 0) {
      // A permit that is kept for long wakes no queue.
      const underWay = place.open + place.permits - (place.keeper === null ? 0 : 1);
      if (place.refusals > REFUSALS && underWay > 0) break;
      const queue = place.next(now, all);
      if (queue === undefined) break;
      waiting -= 1;
      place.permits += 1;
      queue.addPermit(place);
      this.#left(queue, place);
      this.#out(queue, place);
    }
    if (waiting > 0) this.#lookAgain(place, until, now);
    else this.#forgetIfEmpty(place);
  }

  #left(queue: Waiter, place: Place): void {
    this.#waiting[place.reason] -= 1;
    queue.waitIn(null);
  }

  #forgetIfEmpty(place: Place): void {
    if (place.permits === 0 && place.waiting === 0) place.emptied();
  }

  #lookAgain(place: Place, until: number, now: number): void {
    if (until === Infinity || until >= place.lookAt) return;
    // Never the running tick: a place without room although its time has come is checked in the next.
    const tick = Math.max(Math.ceil(until / TICK_MS), Math.floor(now / TICK_MS) + 1);
    const at = tick * TICK_MS;
    if (at >= place.lookAt) return;
    place.lookAt = at;
    const known = this.#ticks.get(tick);
    if (known === undefined) {
      const timer = setTimeout(() => this.#tick(tick), Math.ceil(at - now)).unref();
      this.#ticks.set(tick, { timer, places: [place] });
    } else known.places.push(place);
  }

  #tick(tick: number): void {
    const places = this.#ticks.get(tick)?.places ?? [];
    this.#ticks.delete(tick);
    for (const place of places) {
      if (place.lookAt !== tick * TICK_MS) continue;
      place.lookAt = Infinity;
      this.#letOut(place);
    }
    this.#timeCame();
  }
}
