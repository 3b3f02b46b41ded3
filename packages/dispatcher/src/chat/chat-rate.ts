/**
 * How many may go at once after a pause. It is small, so that together with the rate it stays below a limit that is
 * counted per second.
 */
const BURST = 3;
/** A ping goes before the queue, which then waits a little longer. */
const BORROWED = 2;

/** Limits the requests per second over all chats, evenly spread. Times are monotonic milliseconds. */
export class ChatRate {
  readonly #perMs: number;
  #tokens = BURST;
  #at: number;

  constructor(perSecond: number, now: number) {
    this.#perMs = perSecond / 1000;
    this.#at = now;
  }

  room(now: number): number {
    this.#fill(now);
    return Math.max(0, Math.floor(this.#tokens));
  }

  mayBorrow(now: number): boolean {
    this.#fill(now);
    return this.#tokens >= 1 - BORROWED;
  }

  until(now: number): number {
    this.#fill(now);
    return now + Math.max(0, (1 - this.#tokens) / this.#perMs);
  }

  take(): void {
    this.#tokens -= 1;
  }

  giveBack(): void {
    this.#tokens = Math.min(BURST, this.#tokens + 1);
  }

  #fill(now: number): void {
    this.#tokens = Math.min(BURST, this.#tokens + (now - this.#at) * this.#perMs);
    this.#at = now;
  }
}
