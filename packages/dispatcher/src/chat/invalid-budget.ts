import type { ChatLimits } from "@markethook/chat";

/** Sending goes on after a pause only when a tenth of the budget is free again, not one request at a time. */
const GO_ON_AT = 0.9;

/**
 * Platforms block addresses that send too many invalid requests. We pause long before that. Times are monotonic
 * milliseconds.
 *
 * open --as many invalid answers within the window as the budget has--> paused --a tenth is free again--> open
 */
export class InvalidBudget {
  readonly #options: ChatLimits["invalid"];
  /** Times of the answers, oldest first. */
  #times: number[] = [];
  #paused = false;

  constructor(options: ChatLimits["invalid"]) {
    this.#options = options;
  }

  /** How many requests may be open, even if each of them is answered as invalid. */
  room(now: number): number {
    this.#forget(now);
    if (this.#paused && this.#times.length > this.#goOnAt) return 0;
    this.#paused = false;
    return this.#options.answers - this.#times.length;
  }

  /** When a pause ends; 0: there is none. */
  pausedUntil(now: number): number {
    if (this.room(now) > 0) return 0;
    const last = this.#times[this.#times.length - this.#goOnAt - 1] ?? now;
    return last + this.#options.windowMs;
  }

  /** Returns true if this one began a pause. */
  add(now: number): boolean {
    this.#forget(now);
    this.#times.push(now);
    if (this.#paused || this.#times.length < this.#options.answers) return false;
    this.#paused = true;
    return true;
  }

  get #goOnAt(): number {
    return Math.floor(this.#options.answers * GO_ON_AT);
  }

  #forget(now: number): void {
    const before = now - this.#options.windowMs;
    const kept = this.#times.findIndex((time) => time > before);
    if (kept > 0) this.#times = this.#times.slice(kept);
    else if (kept === -1 && this.#times.length > 0) this.#times = [];
  }
}
