import type { PaceFacts } from "@markethook/chat";
import { Place } from "../queue/place.ts";

/**
 * What a platform allows for one pace key, as its answers tell it. Times are monotonic milliseconds.
 *
 * unknown (one at a time) --an answer tells of limits--> so many in flight as may follow until the reset
 * after the reset -> as many as the limit, until an answer tells more
 * told to wait -> none until then
 */
export class ChatBucket extends Place {
  #inFlight = 0;
  #limit: number | null = null;
  #remaining = 0;
  #resetAt = 0;
  #blockedUntil = 0;
  /** Pings that wait for their turn: they come first. */
  pings = 0;

  override room(now: number): number {
    return this.pings > 0 ? 0 : this.roomForPing(now);
  }

  roomForPing(now: number): number {
    if (now < this.#blockedUntil) return 0;
    if (this.#limit === null) return this.#inFlight === 0 ? 1 : 0;
    // What is in flight may be counted in `remaining` or not: taken as not, the limit is never passed.
    const left = now >= this.#resetAt ? this.#limit : this.#remaining;
    return Math.max(0, left - this.#inFlight);
  }

  /** When there will be room without any answer before that; Infinity: not before one. */
  override until(now: number): number {
    if (now < this.#blockedUntil) return this.#blockedUntil;
    if (this.#limit === null || now >= this.#resetAt) return Infinity;
    return this.#limit > this.#inFlight ? this.#resetAt : Infinity;
  }

  enter(): void {
    this.#inFlight += 1;
  }

  leave(): void {
    this.#inFlight -= 1;
  }

  learn({ limit, remaining, resetAfterMs }: PaceFacts, now: number): void {
    // Answers come in any order: within one window the lowest count is the newest.
    this.#remaining = now >= this.#resetAt ? remaining : Math.min(this.#remaining, remaining);
    this.#resetAt = Math.max(this.#resetAt, now + resetAfterMs);
    this.#limit = limit;
  }

  block(until: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, until);
  }

  /** Nothing would be lost with it. */
  isIdle(now: number): boolean {
    return (
      this.#inFlight === 0 &&
      this.pings === 0 &&
      this.waiting === 0 &&
      this.permits === 0 &&
      now >= this.#resetAt &&
      now >= this.#blockedUntil
    );
  }
}
