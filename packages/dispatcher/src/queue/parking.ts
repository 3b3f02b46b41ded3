import type { Gate, GateWait } from "../gates/gate.ts";
import type { Lane } from "./lane.ts";
import type { Ledger } from "./ledger.ts";

interface Place {
  gate: Gate;
  lanes: Lane[];
  until: number;
}

/** Who was let out may turn out to have nothing to send; the others are then looked at after this time. */
const LOOK_AGAIN_MS = 100;
/** Waiting longer than this is done in the database. */
const LONG_WAIT_MS = 10_000;
/** Timers are not worth more precision, and many keys must not mean as many timers. */
const SHORTEST_MS = 4;

export function isLong(until: number, now: number): boolean {
  return until !== Infinity && until - now > LONG_WAIT_MS;
}

/**
 * Lanes that wait before a gate, by what they wait for, first in first out. One timer serves all of them.
 *
 * parked --its time comes, or the gate wakes its key--> as many as the gate has room for are let out;
 *          all, where it has become a long wait
 */
export class Parking {
  readonly #now: () => number;
  readonly #ledger: Ledger;
  readonly #out: (lanes: readonly Lane[]) => void;
  readonly #places = new Map<string, Place>();
  #timer: NodeJS.Timeout | null = null;
  #timerAt = Infinity;

  constructor(now: () => number, ledger: Ledger, out: (lanes: readonly Lane[]) => void) {
    this.#now = now;
    this.#ledger = ledger;
    this.#out = out;
  }

  park(lane: Lane, { gate, key, until }: GateWait): void {
    lane.queued = true;
    lane.waitIn(this.#ledger);
    const place = this.#places.get(key);
    if (place === undefined) {
      this.#places.set(key, { gate, lanes: [lane], until });
      this.#schedule(until);
      return;
    }
    place.lanes.push(lane);
    if (until >= place.until) return;
    place.until = until;
    this.#schedule(until);
  }

  wake(key: string): void {
    const place = this.#places.get(key);
    if (place !== undefined) this.#out(this.#letOut(key, place));
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#timerAt = Infinity;
  }

  #letOut(key: string, place: Place): Lane[] {
    const { room, until } = place.gate.look(key);
    // What has become a long wait meanwhile is to be judged again, by all of them.
    const count = isLong(until, this.#now()) ? place.lanes.length : Math.max(0, room);
    const out = place.lanes.splice(0, count);
    for (const lane of out) lane.waitIn(null);
    if (place.lanes.length === 0) this.#places.delete(key);
    else {
      place.until = out.length === 0 ? until : Math.min(until, this.#now() + LOOK_AGAIN_MS);
      this.#schedule(place.until);
    }
    return out;
  }

  #schedule(at: number): void {
    if (at >= this.#timerAt) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timerAt = at;
    const ms = Math.max(SHORTEST_MS, Math.ceil(at - this.#now()));
    this.#timer = setTimeout(() => this.#timeCame(), ms).unref();
  }

  #timeCame(): void {
    this.#timer = null;
    this.#timerAt = Infinity;
    const now = this.#now();
    const out: Lane[] = [];
    let next = Infinity;
    for (const [key, place] of this.#places) {
      if (place.until <= now) out.push(...this.#letOut(key, place));
      if (place.lanes.length > 0) next = Math.min(next, place.until);
    }
    this.#schedule(next);
    this.#out(out);
  }
}
