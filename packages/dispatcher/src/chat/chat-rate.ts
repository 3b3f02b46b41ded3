import type { ChatLimits } from "@markethook/chat";
import type { InstanceCount } from "../gates/instance-count.ts";
import { Place } from "../queue/place.ts";

/**
 * Number of messages that all instances together may send at once after a pause. It is small: with the rate it stays below
 * a limit that is counted per second.
 */
const BURST = 3;
/** A ping goes before the queue, which then waits a little longer. */
const BORROWED = 2;

/**
 * Limits the requests per second over all chats of a platform, evenly spread, and holds them while the platform demands
 * it. Times are monotonic milliseconds.
 */
export class ChatRate extends Place {
  blockedUntil = 0;
  readonly #perSecond: number;
  readonly #instances: Pick<InstanceCount, "current" | "partOf">;
  #tokens: number;
  #at: number;

  constructor(
    label: string,
    { perSecond }: Pick<ChatLimits, "perSecond">,
    instances: Pick<InstanceCount, "current" | "partOf">,
    now: number,
  ) {
    super("chat-platform", `the pace of ${label}`);
    this.#perSecond = perSecond;
    this.#instances = instances;
    this.#tokens = this.#most;
    this.#at = now;
  }

  override room(now: number): number {
    if (now < this.blockedUntil) return 0;
    this.#fill(now);
    return Math.max(0, Math.floor(this.#tokens));
  }

  mayBorrow(now: number): boolean {
    if (now < this.blockedUntil) return false;
    this.#fill(now);
    return this.#tokens >= 1 - BORROWED / this.#instances.current();
  }

  override until(now: number): number {
    if (now < this.blockedUntil) return this.blockedUntil;
    this.#fill(now);
    return now + Math.max(0, (1 - this.#tokens) / this.#perMs);
  }

  take(): void {
    this.#tokens -= 1;
  }

  giveBack(): void {
    this.#tokens = Math.min(this.#most, this.#tokens + 1);
  }

  get #perMs(): number {
    return this.#instances.partOf(this.#perSecond) / 1000;
  }

  get #most(): number {
    return Math.max(1, BURST / this.#instances.current());
  }

  #fill(now: number): void {
    this.#tokens = Math.min(this.#most, this.#tokens + (now - this.#at) * this.#perMs);
    this.#at = now;
  }
}
