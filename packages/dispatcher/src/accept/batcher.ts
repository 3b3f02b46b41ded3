interface Waiting<Item, Result> {
  items: readonly Item[];
  /** Null: no caller waits. */
  caller: { resolve(results: Result[]): void; reject(error: unknown): void } | null;
}

export interface BatcherOptions<Item, Result> {
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
  /**
   * True if one addition is at fault, and nothing of the run has happened. Then its halves run one after the other, until
   * the fault is its own. Otherwise it would fail for all.
   */
  isOfOne?(error: unknown): boolean;
  /** `free`: allows the next run to begin although this one has not ended. Returns whether one did. */
  run(items: readonly Item[], free: () => boolean): Promise<Result[]>;
}

/**
 * Group commit. All items that are added while a run is under way share the next run: a batch is the queue of that
 * moment, and waits for more only if a pace is set. A run that has only its own results left to handle may give its
 * place to the next.
 *
 * idle --add--> running --more was added--> running
 *               running --more was added, but it is too soon--> pausing --time or a full batch--> running
 *               running --nothing waits--> idle
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  #queue: Waiting<Item, Result>[] = [];
  /** Items in the queue. */
  #queued = 0;
  #running = 0;
  #pending = 0;
  #scheduled = false;
  #latest = { begunAt: 0, additions: 0 };
  #pausing = false;
  readonly #idlers: (() => void)[] = [];

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  /** Resolves with one result per item, after the run that took them. */
  add(items: readonly Item[]): Promise<Result[]> {
    return new Promise((resolve, reject) => this.#enqueue({ items, caller: { resolve, reject } }));
  }

  /** The same for an item whose result no caller needs; its run must not fail. */
  put(item: Item): void {
    this.#enqueue({ items: [item], caller: null });
  }

  /** Number of items added and not yet answered. */
  get pending(): number {
    return this.#pending;
  }

  /** Resolves when nothing is pending. */
  async idle(): Promise<void> {
    if (this.#pending > 0) await new Promise<void>((resolve) => this.#idlers.push(resolve));
  }

  #take(): Waiting<Item, Result>[] {
    let count = 0;
    let size = 0;
    for (const waiting of this.#queue) {
      if (count > 0 && size + waiting.items.length > this.#options.maxItems) break;
      size += waiting.items.length;
      count += 1;
    }
    const taken = this.#queue.slice(0, count);
    this.#queue = this.#queue.slice(count);
    this.#queued -= size;
    return taken;
  }

  async #run(batch: Waiting<Item, Result>[]): Promise<void> {
    let freed = false;
    const free = (): boolean => {
      if (freed) return false;
      freed = true;
      this.#running -= 1;
      return this.#pump();
    };
    try {
      await this.#runTogether(batch, free);
    } finally {
      free();
      if (this.#pending === 0) for (const idler of this.#idlers.splice(0)) idler();
    }
  }

  async #runTogether(batch: Waiting<Item, Result>[], free: () => boolean): Promise<void> {
    const { run, isOfOne } = this.#options;
    const first = batch[0];
    const items =
      batch.length === 1 && first ? first.items : batch.flatMap((waiting) => waiting.items);
    try {
      const results = await run(items, free);
      let at = 0;
      for (const waiting of batch) {
        waiting.caller?.resolve(results.slice(at, at + waiting.items.length));
        at += waiting.items.length;
      }
      this.#pending -= items.length;
    } catch (error) {
      if (batch.length > 1 && isOfOne?.(error) === true) {
        const middle = Math.ceil(batch.length / 2);
        await this.#runTogether(batch.slice(0, middle), () => false);
        await this.#runTogether(batch.slice(middle), free);
        return;
      }
      for (const waiting of batch) waiting.caller?.reject(error);
      this.#pending -= items.length;
    }
  }

  /** Milliseconds until the next run may begin. */
  #pause(): number {
    const { maxItems, pace = null } = this.#options;
    const isFull = this.#queued >= maxItems;
    if (pace === null || this.#latest.additions < pace.from || isFull) return 0;
    return this.#latest.begunAt + pace.ms - pace.now();
  }

  #pumpIn(ms: number): void {
    if (this.#pausing) return;
    this.#pausing = true;
    setTimeout(() => {
      this.#pausing = false;
      this.#pump();
    }, ms);
  }

  /** Returns whether a run began. */
  #pump(): boolean {
    const { parallel, besideFrom = 1, pace = null } = this.#options;
    let began = false;
    while (
      this.#running < parallel &&
      this.#queue.length >= (this.#running === 0 ? 1 : besideFrom)
    ) {
      const ms = this.#pause();
      if (ms > 0) {
        this.#pumpIn(ms);
        break;
      }
      const batch = this.#take();
      if (pace !== null) this.#latest = { begunAt: pace.now(), additions: batch.length };
      this.#running += 1;
      began = true;
      void this.#run(batch);
    }
    return began;
  }

  #enqueue(waiting: Waiting<Item, Result>): void {
    this.#queue.push(waiting);
    this.#queued += waiting.items.length;
    this.#pending += waiting.items.length;
    if (this.#scheduled) return;
    // At the end of this turn of the event loop, so that requests that are read together share the first run too.
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#pump();
    });
  }
}
