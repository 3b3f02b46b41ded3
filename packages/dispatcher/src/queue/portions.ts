export interface PortionOptions {
  /** Number of requests. */
  size: number;
  /** Called when the next portion may begin. */
  next(): void;
  /** True if many deliveries wait only for their portion. */
  muchLeft(): boolean;
}

/** Cost of a refused turn, as part of the cost of a request. */
const REFUSED_COST = 1 / 16;

/**
 * After a portion of requests, other work of the event loop has its turn. Beginning 800 requests at once keeps it busy
 * for 25 ms, in which it handles no answers of receivers or of the database.
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

  /** Counts a request that has begun, or a turn in which none could: many of these keep the event loop busy, too. */
  count(hasBegun: boolean): void {
    this.#begun += hasBegun ? 1 : REFUSED_COST;
    if (this.#begun < this.#options.size) return;
    this.#begun = 0;
    this.#resting = true;
    setImmediate(() => {
      this.#resting = false;
      this.#options.next();
      if (!this.#behind) for (const waiter of this.#waiters.splice(0)) waiter();
    });
  }

  /** Resolves when few deliveries wait only for their portion. */
  async caughtUp(): Promise<void> {
    if (this.#behind) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  get #behind(): boolean {
    return this.#resting && this.#options.muchLeft();
  }
}
