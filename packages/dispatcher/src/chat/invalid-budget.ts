import type { ChatLimits } from "@markethook/chat";
import type { InstanceCount } from "../gates/instance-count.ts";
import { Place } from "../queue/place.ts";

/** Sending goes on after a pause only when a tenth of the budget is free again, not one request at a time. */
const GO_ON_AT = 0.9;

/**
 * Platforms block addresses that send too many invalid requests. We pause long before that. Each instance has its part
 * of the budget. Times are monotonic milliseconds.
 *
 * open --as many invalid answers within the window as the budget has--> paused --a tenth is free again--> open
 */
export class InvalidBudget extends Place {
  /** Number of open requests: each may still be answered as invalid. */
  inFlight = 0;
  readonly #options: ChatLimits["invalid"];
  readonly #instances: Pick<InstanceCount, "latest">;
  /** Times of the answers, oldest first. */
  #times: number[] = [];
  #paused = false;

  constructor(
    label: string,
    options: ChatLimits["invalid"],
    instances: Pick<InstanceCount, "latest">,
  ) {
    super("chat-budget", `${label}, after too many refused requests`);
    this.#options = options;
    this.#instances = instances;
  }

  /** How many invalid answers pause this instance. */
  get answers(): number {
    return Math.max(1, Math.floor(this.#options.answers / this.#instances.latest()));
  }

  override room(now: number): number {
    return this.#left(now) - this.inFlight;
  }

  override until(now: number): number {
    const until = this.pausedUntil(now);
    return until > now ? until : Infinity;
  }

  /** When a pause ends; 0: there is none. */
  pausedUntil(now: number): number {
    if (this.#left(now) > 0) return 0;
    const last = this.#times[this.#times.length - this.#goOnAt - 1] ?? now;
    return last + this.#options.windowMs;
  }

  /** Returns true if this one began a pause. */
  add(now: number): boolean {
    this.#forget(now);
    this.#times.push(now);
    if (this.#paused || this.#times.length < this.answers) return false;
    this.#paused = true;
    return true;
  }

  /** True if it can be dropped without a loss. */
  isIdle(now: number): boolean {
    this.#forget(now);
    const isUsed = this.inFlight > 0 || this.waiting > 0 || this.permits > 0;
    return !isUsed && this.#times.length === 0;
  }

  /** How many requests may be open, even if each of them is answered as invalid. */
  #left(now: number): number {
    this.#forget(now);
    if (this.#paused && this.#times.length > this.#goOnAt) return 0;
    this.#paused = false;
    return this.answers - this.#times.length;
  }

  get #goOnAt(): number {
    return Math.floor(this.answers * GO_ON_AT);
  }

  #forget(now: number): void {
    const before = now - this.#options.windowMs;
    const kept = this.#times.findIndex((time) => time > before);
    if (kept > 0) this.#times = this.#times.slice(kept);
    else if (kept === -1 && this.#times.length > 0) this.#times = [];
  }
}
