/**
 * Controls access to the writer thread. Single messages go in any order, side by side. A transaction of several
 * messages waits for them and then goes alone; otherwise another caller's message would run inside it.
 */
export class WriterLock {
  #sharing = 0;
  #alone = false;
  readonly #waitingShared: (() => void)[] = [];
  readonly #waitingAlone: (() => void)[] = [];

  async share<T>(work: () => Promise<T>): Promise<T> {
    if (this.#alone || this.#waitingAlone.length > 0) {
      await new Promise<void>((resolve) => this.#waitingShared.push(resolve));
    } else {
      this.#sharing += 1;
    }
    try {
      return await work();
    } finally {
      this.#sharing -= 1;
      this.#next();
    }
  }

  /** Resolves with the function that ends the turn. */
  async takeAlone(): Promise<() => void> {
    if (this.#alone || this.#sharing > 0) {
      await new Promise<void>((resolve) => this.#waitingAlone.push(resolve));
    } else {
      this.#alone = true;
    }
    return () => {
      this.#alone = false;
      // Calls that waited meanwhile go first, so that neither kind can starve the other.
      this.#wakeShared();
      this.#next();
    };
  }

  #next(): void {
    if (this.#alone || this.#sharing > 0) return;
    const alone = this.#waitingAlone.shift();
    if (alone !== undefined) {
      this.#alone = true;
      alone();
    } else {
      this.#wakeShared();
    }
  }

  #wakeShared(): void {
    const waiting = this.#waitingShared.splice(0);
    this.#sharing += waiting.length;
    for (const wake of waiting) wake();
  }
}
