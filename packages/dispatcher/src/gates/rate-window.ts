/**
 * Limits requests in any window of one second, or of longer where there is less than one in a second. Each one is counted,
 * so there is no burst at the boundary of two windows.
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
    const first = this.#at[this.#at.length - this.#most()];
    return first === undefined ? now : first + this.#windowMs();
  }

  room(now: number): number {
    this.#forget(now);
    return Math.max(0, this.#most() - this.#at.length);
  }

  note(now: number): void {
    this.#at.push(now);
  }

  #forget(now: number): void {
    const before = now - this.#windowMs();
    while (this.#at[0] !== undefined && this.#at[0] <= before) this.#at.shift();
  }

  #most(): number {
    return Math.max(1, Math.floor(this.#perSecond()));
  }

  #windowMs(): number {
    return WINDOW_MS / Math.min(1, this.#perSecond());
  }
}

/**
 * A little over a second, because network delays could move requests of two windows into one second at the receiver.
 */
const WINDOW_MS = 1050;
