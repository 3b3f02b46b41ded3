import type { OpenRequest } from "../gates/gate.ts";

const WATCH_MS = 250;

/**
 * Finds requests that have been open for long, before they end. Runs only while requests are open. Time in which this
 * process did not run (it was stopped, or too busy) makes no receiver slow: all that were asked before would seem so.
 */
export class SlowWatch {
  readonly #open: ReadonlySet<OpenRequest>;
  readonly #now: () => number;
  readonly #afterMs: number;
  readonly #slow: (request: OpenRequest) => void;
  #timer: NodeJS.Timeout | null = null;
  /** When this process was last known to run, and for how long it did not while requests were open. */
  #ranAt = 0;
  #stoodMs = 0;

  constructor(
    open: ReadonlySet<OpenRequest>,
    now: () => number,
    afterMs: number,
    /** Called for each that does not count as slow yet. */
    slow: (request: OpenRequest) => void,
  ) {
    this.#open = open;
    this.#now = now;
    this.#afterMs = afterMs;
    this.#slow = slow;
  }

  /** The time without that in which this process did not run. */
  now(): number {
    const now = this.#now();
    const passed = now - this.#ranAt;
    if (this.#timer !== null && passed > 2 * WATCH_MS) this.#stoodMs += passed - WATCH_MS;
    this.#ranAt = now;
    return now - this.#stoodMs;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#look(), WATCH_MS).unref();
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #look(): void {
    const before = this.now() - this.#afterMs;
    for (const request of this.#open) {
      // Requests are in the order of their start, so the first young one ends the walk.
      if (request.startedAt > before) break;
      if (!request.slow) this.#slow(request);
    }
    if (this.#open.size === 0) this.close();
  }
}
