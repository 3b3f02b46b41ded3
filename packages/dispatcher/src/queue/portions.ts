export interface PortionOptions {
  /** Requests. */
  size: number;
  /** The next portion may begin. */
  next(): void;
  /** Much is left that waits for nothing but its portion. */
  muchLeft(): boolean;
}

/** Of a request. */
const REFUSED_COST = 1 / 16;

/**
 * After a portion of requests the event loop's other work has its turn: beginning 800 at once keeps it busy for 25 ms,
 * in which no answer is heard, neither of receivers nor of the database.
 */
export class Portions {
  readonly #options: PortionOptions;
  #begun = 0;
  #resting = false;
  readonly #waiters: (() => void)[] = [];

  constructor(options: PortionOptions) {
    this.#options = options;
  }

  get resting(): boolean {
    return this.#resting;
  }

  /** A turn in which nothing could begin. Many of them keep the event loop busy, too. */
  countRefused(): void {
    this.#count(REFUSED_COST);
  }

  /** One more has begun. */
  count(): void {
    this.#count(1);
  }

  #count(cost: number): void {
    this.#begun += cost;
    if (this.#begun < this.#options.size) return;
    this.#begun = 0;
    this.#resting = true;
    setImmediate(() => {
      this.#resting = false;
      this.#options.next();
      if (!this.#behind) for (const waiter of this.#waiters.splice(0)) waiter();
    });
  }

  /** Resolves when not much is left that waits for nothing but its portion. */
  async caughtUp(): Promise<void> {
    if (this.#behind) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  get #behind(): boolean {
    return this.#resting && this.#options.muchLeft();
  }
}
