interface PortionOptions {
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
export function createPortions({ size, next, muchLeft }: PortionOptions) {
  let begun = 0;
  let resting = false;
  const waiters: (() => void)[] = [];
  const isBehind = () => resting && muchLeft();
  return {
    resting: () => resting,
    /** Counts a request that has begun, or a turn in which none could: many of these keep the event loop busy, too. */
    count(hasBegun: boolean): void {
      begun += hasBegun ? 1 : REFUSED_COST;
      if (begun < size) return;
      begun = 0;
      resting = true;
      setImmediate(() => {
        resting = false;
        next();
        if (!isBehind()) for (const waiter of waiters.splice(0)) waiter();
      });
    },
    /** Resolves when few deliveries wait only for their portion. */
    async caughtUp(): Promise<void> {
      if (isBehind()) await new Promise<void>((resolve) => waiters.push(resolve));
    },
  };
}
