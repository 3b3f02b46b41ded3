import { Fifo } from "./fifo.ts";

/** After so many refusals nobody else gets a permit until the next one closes. */
const REFUSALS = 16;
/** Of a divided key: requests of slow ones that may begin. */
const SLOW_PART = 0.75;
/** Of a divided key: slots that only the first request of a webhook may take. */
const FIRST_PART = 1 / 8;
/** Of a divided key: slots that only the first request of a proven webhook may take. */
const PROVEN_PART = 1 / 32;
/** Where a key has fewer slots, none may idle. */
const KEEP_FROM = 4;

/**
 * What is known of a waiter. `proven`: nothing open, and it answered well before. `new`: nothing open, and no good answer
 * yet. `more`: it has a request open. `slow`: its last request failed, or took long.
 */
export type Standing = Line | "more";

/** One with a request open stands in no line: it tries again when that request has ended. */
export type Line = "proven" | "new" | "slow";

const NOBODY: readonly never[] = [];

const LINES: readonly Line[] = ["proven", "new", "slow"];

/** Who waits for a key. */
interface Queue<Waiter> {
  lines: Record<Line, Fifo<Waiter>>;
  /** In all lines together. */
  waiting: number;
  /** Whose line got a permit last: they are asked in turns. */
  turn: number;
  /** Slots kept for those who were told to try again and have not yet. */
  permitted: number;
  /** Offers that led to nothing since a slot closed. */
  refusals: number;
  /** Keeps its permit while it waits for something else. */
  keeper: Waiter | null;
}

interface Key<Waiter> {
  open: number;
  slow: number;
  queue: Queue<Waiter> | null;
}

/**
 * Counts open requests by key and remembers who waits for a key to come under its cap.
 *
 * waits --a slot closes--> permitted --answers--> took it, or keeps it, or the next one gets the permit
 *
 * A permit is kept until it is answered: a slot that closes meanwhile goes to somebody else, and as many are told to
 * try again as can go. Who cannot use his slot passes it on, though only to a few: asking all of them at each slot
 * would be endless. When no slot is open all are asked, for nothing else would ever wake them.
 *
 * The slots of a divided key are not simply first come, first served. Slow webhooks may hold three quarters of them. The
 * last eighth is for webhooks with nothing open there, and a few of these slots for proven ones. The lines take turns.
 */
export class Caps<Waiter> {
  readonly #cap: number;
  /** Requests that may be open when one more begins, by who it is. */
  readonly #caps: Readonly<Record<Standing, number>>;
  /** Of slow ones alone. */
  readonly #slowCap: number;
  readonly #isOpen: () => boolean;
  readonly #keys = new Map<string, Key<Waiter>>();

  /** @param options.isOpen False: no room now, whatever the count. When it becomes true the owner calls `wake`. */
  constructor(cap: number, options: { divided?: boolean; isOpen?: () => boolean } = {}) {
    const { divided = false, isOpen = () => true } = options;
    this.#isOpen = isOpen;
    this.#cap = cap;
    const but = (part: number): number => (divided ? cap - Math.floor(cap * part) : cap);
    const more = but(FIRST_PART);
    this.#caps = { proven: cap, new: but(PROVEN_PART), more, slow: more };
    this.#slowCap = divided ? Math.ceil(cap * SLOW_PART) : cap;
  }

  /** A slot with a permit is taken for all others. */
  isFull(key: string, standing: Standing = "proven"): boolean {
    const place = this.#keys.get(key);
    return place === undefined ? !this.#isOpen() : this.#room(place, standing) <= 0;
  }

  /** Somebody has a slot or a permit, or waits. */
  isUsed(key: string): boolean {
    return this.#keys.has(key);
  }

  /** There may be room for another reason. Returns the waiters that get a permit now. */
  wake(key: string): readonly Waiter[] {
    const place = this.#keys.get(key);
    const queue = place?.queue ?? null;
    if (place === undefined || queue === null) return NOBODY;
    queue.refusals = 0;
    return this.#permit(key, place, queue);
  }

  count(key: string): number {
    return this.#keys.get(key)?.open ?? 0;
  }

  open(key: string, slow = false): void {
    const place = this.#key(key);
    place.open += 1;
    if (slow) place.slow += 1;
  }

  /** An open request counts as slow from now on. */
  becameSlow(key: string): void {
    this.#key(key).slow += 1;
  }

  wait(key: string, waiter: Waiter, line: Line = "proven"): void {
    const place = this.#key(key);
    place.queue ??= {
      lines: { proven: new Fifo(), new: new Fifo(), slow: new Fifo() },
      waiting: 0,
      turn: 0,
      permitted: 0,
      refusals: 0,
      keeper: null,
    };
    place.queue.lines[line].push(waiter);
    place.queue.waiting += 1;
  }

  /** False if it did not wait. */
  leave(key: string, waiter: Waiter): boolean {
    const place = this.#keys.get(key);
    const queue = place?.queue ?? null;
    if (place === undefined || queue === null) return false;
    const left = LINES.some((line) => queue.lines[line].remove(waiter));
    if (left) queue.waiting -= 1;
    this.#forgetIfEmpty(key, place);
    return left;
  }

  /** Returns the waiters that get a permit now. Each of them answers when it has tried. */
  close(key: string, slow = false): readonly Waiter[] {
    const place = this.#keys.get(key);
    if (place === undefined) return NOBODY;
    place.open -= 1;
    if (slow) place.slow -= 1;
    const { queue } = place;
    if (queue === null) {
      if (place.open === 0) this.#keys.delete(key);
      return NOBODY;
    }
    queue.refusals = 0;
    return this.#permit(key, place, queue);
  }

  /** Before he tries: the slot that was kept for him is free. */
  answer(key: string, waiter: Waiter): void {
    const queue = this.#keys.get(key)?.queue ?? null;
    if (queue === null) return;
    queue.permitted -= 1;
    if (queue.keeper === waiter) queue.keeper = null;
  }

  /** After he tried, and waits for something else: true if he may keep the slot meanwhile. One at a time may. */
  keep(key: string, waiter: Waiter): boolean {
    const queue = this.#keys.get(key)?.queue ?? null;
    if (queue === null || queue.keeper !== null || this.#cap < KEEP_FROM) return false;
    queue.keeper = waiter;
    queue.permitted += 1;
    return true;
  }

  /** After a waiter has tried: returns the waiters that get the slot it left. `refused`: it had something to send, and could not. */
  passOn(key: string, refused: boolean): readonly Waiter[] {
    const place = this.#keys.get(key);
    const queue = place?.queue ?? null;
    if (place === undefined || queue === null) return NOBODY;
    if (refused) queue.refusals += 1;
    return this.#permit(key, place, queue);
  }

  #room({ open, slow, queue }: Key<Waiter>, standing: Standing): number {
    if (!this.#isOpen()) return 0;
    const free = this.#caps[standing] - open;
    return (
      (standing === "slow" ? Math.min(free, this.#slowCap - slow) : free) - (queue?.permitted ?? 0)
    );
  }

  #permit(key: string, place: Key<Waiter>, queue: Queue<Waiter>): readonly Waiter[] {
    let woken: Waiter[] | undefined;
    while (queue.waiting > 0) {
      // A slot that is kept for long wakes nobody.
      const underWay = place.open + queue.permitted - (queue.keeper === null ? 0 : 1);
      if (queue.refusals > REFUSALS && underWay > 0) break;
      const waiter = this.#next(place, queue);
      if (waiter === undefined) break;
      queue.permitted += 1;
      (woken ??= []).push(waiter);
    }
    this.#forgetIfEmpty(key, place);
    return woken ?? NOBODY;
  }

  /** Of the lines in turns, where there is somebody for whom there is room. */
  #next(place: Key<Waiter>, queue: Queue<Waiter>): Waiter | undefined {
    if (this.#room(place, "proven") <= 0) return undefined;
    for (let asked = 0; asked < LINES.length; asked += 1) {
      queue.turn = (queue.turn + 1) % LINES.length;
      const line = LINES[queue.turn] ?? "proven";
      if (queue.lines[line].length === 0 || this.#room(place, line) <= 0) continue;
      queue.waiting -= 1;
      return queue.lines[line].shift();
    }
    return undefined;
  }

  #key(key: string): Key<Waiter> {
    let place = this.#keys.get(key);
    if (place === undefined) {
      place = { open: 0, slow: 0, queue: null };
      this.#keys.set(key, place);
    }
    return place;
  }

  #forgetIfEmpty(key: string, place: Key<Waiter>): void {
    if (place.queue !== null) {
      if (place.queue.permitted > 0 || place.queue.waiting > 0) return;
      place.queue = null;
    }
    if (place.open === 0) this.#keys.delete(key);
  }
}
