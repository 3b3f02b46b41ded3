/** Counts open requests by key and remembers who waits for a key to come under its cap. */
export class Caps<Waiter> {
  readonly #cap: number;
  readonly #open = new Map<string, number>();
  readonly #waiters = new Map<string, Waiter[]>();

  constructor(cap: number) {
    this.#cap = cap;
  }

  isFull(key: string): boolean {
    return (this.#open.get(key) ?? 0) >= this.#cap;
  }

  open(key: string): void {
    this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
  }

  wait(key: string, waiter: Waiter): void {
    const waiters = this.#waiters.get(key);
    if (waiters === undefined) this.#waiters.set(key, [waiter]);
    else waiters.push(waiter);
  }

  /**
   * Returns who may try again: one for the slot that is free now, or all when none is open any more, so that a
   * waiter which turns out not to need its slot cannot leave the others waiting for ever.
   */
  close(key: string): Waiter[] {
    const open = (this.#open.get(key) ?? 1) - 1;
    if (open > 0) {
      this.#open.set(key, open);
      return this.#waiters.get(key)?.splice(0, 1) ?? [];
    }
    this.#open.delete(key);
    const all = this.#waiters.get(key) ?? [];
    this.#waiters.delete(key);
    return all;
  }
}
