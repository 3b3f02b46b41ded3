/** At most so many in any window of one second, counted one by one: no burst at the seam of two windows. */
export class RateWindow {
  readonly #perSecond: () => number;
  /** When the last ones were, oldest first. */
  readonly #at: number[] = [];

  /** @param perSecond May change from call to call. */
  constructor(perSecond: () => number) {
    this.#perSecond = perSecond;
  }

  /** When the next one may be; not after `now`: at once. */
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

/** A little over a second, so that the way to the receiver does not push two windows into one of its seconds. */
const WINDOW_MS = 1050;
