/**
 * Group commit. All items that are added while a run is under way share the next run: a batch is the queue of that
 * moment, and waits for more only if a pace is set. A run that has only its own results left to handle may give its
 * place to the next.
 *
 * idle --add--> running --more was added--> running
 *               running --more was added, but it is too soon--> pausing --time or a full batch--> running
 *               running --nothing waits--> idle
 */
export interface Batcher<Item, Result> {
  /** Resolves with one result per item, after the run that took them. */
  add(items: readonly Item[]): Promise<Result[]>;
  /** The same for an item whose result no caller needs; its run must not fail. */
  put(item: Item): void;
  /** Number of items added and not yet answered. */
  readonly pending: number;
  /** Resolves when nothing is pending. */
  idle(): Promise<void>;
}

interface Waiting<Item, Result> {
  items: readonly Item[];
  /** Null: no caller waits. */
  caller: { resolve(results: Result[]): void; reject(error: unknown): void } | null;
}

export function createBatcher<Item, Result>(options: {
  /** A run takes whole additions as long as they fit; a larger addition goes alone. */
  maxItems: number;
  /** Number of runs at the same time. */
  parallel: number;
  /** How many additions must wait before a run starts next to another one; 1 if left out. */
  besideFrom?: number;
  /**
   * After a run of `from` additions or more, the next one begins `ms` after its start, or when it is full. It is for
   * runs that cost as much as many additions, and whose results are not urgent.
   */
  pace?: { from: number; ms: number; now: () => number } | null;
  /** `free`: allows the next run to begin although this one has not ended. Returns whether one did. */
  run(items: readonly Item[], free: () => boolean): Promise<Result[]>;
}): Batcher<Item, Result> {
  const { besideFrom = 1, pace = null } = options;
  let queue: Waiting<Item, Result>[] = [];
  let running = 0;
  let pending = 0;
  let scheduled = false;
  let latest = { begunAt: 0, additions: 0 };
  let pausing = false;
  const idlers: (() => void)[] = [];

  function take(): Waiting<Item, Result>[] {
    let count = 0;
    let size = 0;
    for (const waiting of queue) {
      if (count > 0 && size + waiting.items.length > options.maxItems) break;
      size += waiting.items.length;
      count += 1;
    }
    const taken = queue.slice(0, count);
    queue = queue.slice(count);
    return taken;
  }

  async function run(batch: Waiting<Item, Result>[]): Promise<void> {
    const first = batch[0];
    const items =
      batch.length === 1 && first ? first.items : batch.flatMap((waiting) => waiting.items);
    let freed = false;
    const free = (): boolean => {
      if (freed) return false;
      freed = true;
      running -= 1;
      return pump();
    };
    try {
      const results = await options.run(items, free);
      let at = 0;
      for (const waiting of batch) {
        waiting.caller?.resolve(results.slice(at, at + waiting.items.length));
        at += waiting.items.length;
      }
    } catch (error) {
      for (const waiting of batch) waiting.caller?.reject(error);
    } finally {
      pending -= items.length;
      free();
      if (pending === 0) for (const idler of idlers.splice(0)) idler();
    }
  }

  /** Milliseconds until the next run may begin. */
  function pause(): number {
    if (pace === null || latest.additions < pace.from || queue.length >= options.maxItems) {
      return 0;
    }
    return latest.begunAt + pace.ms - pace.now();
  }

  function pumpIn(ms: number): void {
    if (pausing) return;
    pausing = true;
    setTimeout(() => {
      pausing = false;
      pump();
    }, ms);
  }

  /** Returns whether a run began. */
  function pump(): boolean {
    let began = false;
    while (running < options.parallel && queue.length >= (running === 0 ? 1 : besideFrom)) {
      const ms = pause();
      if (ms > 0) {
        pumpIn(ms);
        break;
      }
      const batch = take();
      if (pace !== null) latest = { begunAt: pace.now(), additions: batch.length };
      running += 1;
      began = true;
      void run(batch);
    }
    return began;
  }

  function enqueue(waiting: Waiting<Item, Result>): void {
    queue.push(waiting);
    pending += waiting.items.length;
    if (scheduled) return;
    // At the end of this turn of the event loop, so that requests that are read together share the first run too.
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      pump();
    });
  }

  return {
    add: (items) =>
      new Promise((resolve, reject) => enqueue({ items, caller: { resolve, reject } })),
    put: (item) => enqueue({ items: [item], caller: null }),
    get pending() {
      return pending;
    },
    async idle() {
      if (pending > 0) await new Promise<void>((resolve) => idlers.push(resolve));
    },
  };
}
