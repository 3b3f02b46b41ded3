import { Place, type Standing, type WaitReason } from "../queue/place.ts";

/** Part of a divided counter in which requests of slow webhooks may begin. */
const SLOW_PART = 0.75;
/** Part of a divided counter that only the first request of a webhook may take. */
const FIRST_PART = 1 / 8;
/** Part of a divided counter that only the first request of a proven webhook may take. */
const PROVEN_PART = 1 / 32;
/** If there is less room, no queue may keep a permit. */
const KEEP_FROM = 4;

/**
 * A place with room for a fixed number of open requests.
 *
 * A divided counter is not simply first come, first served. Slow webhooks may take three quarters of it. The last
 * eighth is for webhooks with no open request there; a few slots of it are for proven ones.
 */
export class Counter extends Place {
  readonly #cap: number;
  /** How many requests may be open when one more begins, by standing. */
  readonly #caps: Readonly<Record<Standing, number>>;
  readonly #slowCap: number;
  readonly #forget: () => void;
  #open = 0;
  #slow = 0;

  /** @param options.forget Called when nothing is open and no queue waits: the counter is equal to a new one. */
  constructor(
    reason: WaitReason,
    name: string,
    cap: number,
    options: { divided?: boolean; forget?: () => void } = {},
  ) {
    const { divided = false, forget = () => undefined } = options;
    super(reason, name, divided);
    this.#cap = cap;
    this.#forget = forget;
    const but = (part: number): number => (divided ? cap - Math.floor(cap * part) : cap);
    const more = but(FIRST_PART);
    this.#caps = { proven: cap, new: but(PROVEN_PART), more, slow: more };
    this.#slowCap = divided ? Math.ceil(cap * SLOW_PART) : cap;
  }

  override room(_now: number, standing: Standing): number {
    const free = this.#caps[standing] - this.#open;
    return standing === "slow" ? Math.min(free, this.#slowCap - this.#slow) : free;
  }

  override get open(): number {
    return this.#open;
  }

  override get ledger(): "slots" {
    return "slots";
  }

  override get mayKeep(): boolean {
    return this.#cap >= KEEP_FROM;
  }

  override emptied(): void {
    if (this.#open > 0) return;
    this.refusals = 0;
    this.#forget();
  }

  enter(slow = false): void {
    this.#open += 1;
    if (slow) this.#slow += 1;
  }

  /** Counts an open request as slow from now on. */
  becameSlow(): void {
    this.#slow += 1;
  }

  /** Counts the end of a request. The caller wakes the waiting room next. */
  leave(slow = false): void {
    this.#open -= 1;
    if (slow) this.#slow -= 1;
  }
}

export interface Counters {
  host: Counter;
  address: Counter | null;
  share: Counter | null;
}
