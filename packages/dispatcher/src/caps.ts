import { Fifo } from "./fifo.ts";

/** After so many could not use a slot nobody else is asked until the next one closes. */
const REFUSALS = 16;

/** Who waits for a key. */
interface Queue<Waiter> {
  waiters: Fifo<Waiter>;
  /** Slots kept for those who were told to try again and have not yet. */
  offered: number;
  /** Offers that led to nothing since a slot closed. */
  refusals: number;
}

/**
 * Counts open requests by key and remembers who waits for a key to come under its cap.
 *
 * waits --a slot closes--> offered it --answers--> took it, or the next one is offered it
 *
 * An offer is kept until it is answered: a slot that closes meanwhile goes to somebody else, and as many are told to
 * try again as can go. Who cannot use his slot passes it on, though only to a few: asking all of them at each slot
 * would be endless. When no slot is open all are asked, for nothing else would ever wake them.
 */
export class Caps<Waiter> {
  readonly #cap: number;
  readonly #open = new Map<string, number>();
  readonly #queues = new Map<string, Queue<Waiter>>();

  constructor(cap: number) {
    this.#cap = cap;
  }

  /** What is offered to others is taken. */
  isFull(key: string): boolean {
    return this.count(key) + (this.#queues.get(key)?.offered ?? 0) >= this.#cap;
  }

  count(key: string): number {
    return this.#open.get(key) ?? 0;
  }

  open(key: string): void {
    this.#open.set(key, this.count(key) + 1);
  }

  wait(key: string, waiter: Waiter): void {
    let queue = this.#queues.get(key);
    if (queue === undefined) {
      queue = { waiters: new Fifo(), offered: 0, refusals: 0 };
      this.#queues.set(key, queue);
    }
    queue.waiters.push(waiter);
  }

  /** False if it did not wait. */
  leave(key: string, waiter: Waiter): boolean {
    const queue = this.#queues.get(key);
    if (queue === undefined || !queue.waiters.remove(waiter)) return false;
    this.#forgetIfEmpty(key, queue);
    return true;
  }

  /** Returns who is offered a slot now. Each of them answers his offer when he has tried. */
  close(key: string): Waiter[] {
    const open = this.count(key) - 1;
    if (open > 0) this.#open.set(key, open);
    else this.#open.delete(key);
    const queue = this.#queues.get(key);
    if (queue === undefined) return [];
    queue.refusals = 0;
    return this.#offer(key, queue);
  }

  /** Before he tries: the slot that was kept for him is free. */
  answer(key: string): void {
    const queue = this.#queues.get(key);
    if (queue !== undefined) queue.offered -= 1;
  }

  /** After he tried: returns who is offered what he has left. `went`: he used it. */
  passOn(key: string, went: boolean): Waiter[] {
    const queue = this.#queues.get(key);
    if (queue === undefined) return [];
    if (!went) queue.refusals += 1;
    return this.#offer(key, queue);
  }

  #offer(key: string, queue: Queue<Waiter>): Waiter[] {
    const open = this.count(key);
    const woken: Waiter[] = [];
    while (open + queue.offered < this.#cap) {
      if (queue.refusals > REFUSALS && open + queue.offered > 0) break;
      const waiter = queue.waiters.shift();
      if (waiter === undefined) break;
      queue.offered += 1;
      woken.push(waiter);
    }
    this.#forgetIfEmpty(key, queue);
    return woken;
  }

  #forgetIfEmpty(key: string, { waiters, offered }: Queue<Waiter>): void {
    if (waiters.length === 0 && offered === 0) this.#queues.delete(key);
  }
}
