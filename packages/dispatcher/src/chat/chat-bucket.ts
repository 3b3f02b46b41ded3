import type { ChatLimits, PaceFacts } from "@markethook/chat";
import type { InstanceCount } from "../gates/instance-count.ts";
import { Place } from "../queue/place.ts";

/**
 * The limits of a platform for one pace key, as its answers state them, or else by counting. Times are monotonic
 * milliseconds.
 *
 * Other instances may send to the same address. The next answer counts their requests. Until then each of them may have
 * sent one more. So each sends one at a time, and only if the others could do the same.
 *
 * unknown (one at a time) --an answer tells of limits--> so many in flight as may follow until the reset
 * after the reset -> as many as the limit, until an answer tells more
 * told to wait -> none until then
 */
export class ChatBucket extends Place {
  /** Null: answers state the limits. */
  readonly #known: ChatLimits["perAddress"];
  readonly #instances: Pick<InstanceCount, "current">;
  #inFlight = 0;
  #limit: number | null = null;
  #remaining = 0;
  #resetAt = 0;
  #blockedUntil = 0;
  /** Number of waiting pings; they come first. */
  pings = 0;

  constructor(
    name: string,
    known: ChatLimits["perAddress"],
    instances: Pick<InstanceCount, "current">,
  ) {
    super("chat-address", name);
    this.#known = known;
    this.#instances = instances;
  }

  override room(now: number): number {
    return this.pings > 0 ? 0 : this.roomForPing(now);
  }

  roomForPing(now: number): number {
    if (now < this.#blockedUntil) return 0;
    if (this.#limit === null) return this.#inFlight === 0 ? 1 : 0;
    const left = now >= this.#resetAt ? this.#limit : this.#remaining;
    const others = this.#instances.current() - 1;
    // The platform may have counted open requests in `remaining` or not. Assuming that it has not, the limit is never
    // passed.
    if (others === 0) return Math.max(0, left - this.#inFlight);
    return this.#inFlight === 0 && left > Math.min(others, this.#limit - 1) ? 1 : 0;
  }

  /** When there will be room without another answer; Infinity: only after one. */
  override until(now: number): number {
    if (now < this.#blockedUntil) return this.#blockedUntil;
    if (this.#limit === null || now >= this.#resetAt) return Infinity;
    return this.#limit > this.#inFlight ? this.#resetAt : Infinity;
  }

  enter(): void {
    this.#inFlight += 1;
  }

  /** `sent`: the platform may count the request. */
  leave(sent: boolean, now: number): void {
    this.#inFlight -= 1;
    if (sent && this.#known !== null) this.learn(this.#count(this.#known, now), now);
  }

  learn({ limit, remaining, resetAfterMs }: PaceFacts, now: number): void {
    // Answers come in any order. Within one window the lowest count is the newest.
    this.#remaining = now >= this.#resetAt ? remaining : Math.min(this.#remaining, remaining);
    this.#resetAt = Math.max(this.#resetAt, now + resetAfterMs);
    this.#limit = limit;
  }

  /**
   * What an answer would state that counts this request, and as many of each other instance. A window begins when its
   * first request has ended.
   */
  #count({ requests, windowMs }: NonNullable<ChatLimits["perAddress"]>, now: number): PaceFacts {
    const isNew = now >= this.#resetAt;
    return {
      limit: requests,
      remaining: Math.max(0, (isNew ? requests : this.#remaining) - this.#instances.current()),
      resetAfterMs: isNew ? windowMs : this.#resetAt - now,
    };
  }

  block(until: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, until);
  }

  /** True if it can be dropped without a loss. */
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
