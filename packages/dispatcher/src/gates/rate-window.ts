/**
 * Limits requests in any window of one second. Each one is counted, so there is no burst at the boundary of two
 * windows.
 */
export class RateWindow {
  readonly #perSecond: () => number;
  /** Times of the last requests, oldest first. */
  readonly #at: number[] = [];

  /** @param perSecond Its result may change from call to call. */
  constructor(perSecond: () => number) {
    this.#perSecond = perSecond;
  }

  /** When the next request may begin. Not after `now`: at once. */
  freeAt(now: number): number {
    this.#forget(now);
    const first = this.#at[this.#at.length - this.#perSecond()];
    return first === undefined ? now : first + WINDOW_MS;
  }

  room(now: number): number {
    this.#forget(now);
    return Math.max(0, this.#perSecond() - this.#at.length);
  }

  note(now: number): void {
    this.#at.push(now);
  }

  #forget(now: number): void {
    while (this.#at[0] !== undefined && this.#at[0] <= now - WINDOW_MS) this.#at.shift();
  }
}

/**
 * A little over a second, because network delays could move requests of two windows into one second at the receiver.
 */
const WINDOW_MS = 1050;
