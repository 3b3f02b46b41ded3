import { Fifo } from "./fifo.ts";

/** Counts open requests by key and remembers who waits for a key to come under its cap. */
export class Caps<Waiter> {
  readonly #cap: number;
  readonly #open = new Map<string, number>();
  readonly #waiters = new Map<string, Fifo<Waiter>>();

  constructor(cap: number) {
    this.#cap = cap;
  }

  isFull(key: string): boolean {
    return this.count(key) >= this.#cap;
  }

  count(key: string): number {
    return this.#open.get(key) ?? 0;
  }

  open(key: string): void {
    this.#open.set(key, this.count(key) + 1);
  }

  wait(key: string, waiter: Waiter): void {
    let waiters = this.#waiters.get(key);
    if (waiters === undefined) {
      waiters = new Fifo();
      this.#waiters.set(key, waiters);
    }
    waiters.push(waiter);
  }

  /** False if it did not wait. */
  leave(key: string, waiter: Waiter): boolean {
    return this.#waiters.get(key)?.remove(waiter) ?? false;
  }

  /**
   * Returns who may try again: one for each slot that is free now, or all when none is open any more. A waiter may
   * turn out not to need its slot, which must neither be lost for good nor leave the others waiting for ever.
   */
  close(key: string): Waiter[] {
    const open = Math.max(0, this.count(key) - 1);
    if (open > 0) this.#open.set(key, open);
    else this.#open.delete(key);
    const waiters = this.#waiters.get(key);
    if (waiters === undefined) return [];
    const room = open === 0 ? waiters.length : this.#cap - open;
    const woken: Waiter[] = [];
    while (woken.length < room) {
      const waiter = waiters.shift();
      if (waiter === undefined) break;
      woken.push(waiter);
    }
    if (waiters.length === 0) this.#waiters.delete(key);
    return woken;
  }
}
