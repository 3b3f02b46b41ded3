import { Place, type Standing, type WaitReason } from "../queue/place.ts";

/** Of a divided counter: requests of slow webhooks that may begin. */
const SLOW_PART = 0.75;
/** Of a divided counter: room that only the first request of a webhook may take. */
const FIRST_PART = 1 / 8;
/** Of a divided counter: room that only the first request of a proven webhook may take. */
const PROVEN_PART = 1 / 32;
/** Where there is less room, no queue may keep a permit. */
const KEEP_FROM = 4;

/**
 * A place with room for so many open requests.
 *
 * The room of a divided one is not simply first come, first served. Slow webhooks may hold three quarters of it. The last
 * eighth is for webhooks with nothing open there, and a few of these for proven ones.
 */
export class Counter extends Place {
  readonly #cap: number;
  /** Requests that may be open when one more begins, by standing. */
  readonly #caps: Readonly<Record<Standing, number>>;
  /** Of slow ones alone. */
  readonly #slowCap: number;
  readonly #forget: () => void;
  #open = 0;
  #slow = 0;

  /** @param options.forget Nothing is open, nobody waits: the counter is as good as a new one. */
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

  override until(): number {
    return Infinity;
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
    if (this.#open === 0) this.#forget();
  }

  enter(slow = false): void {
    this.#open += 1;
    if (slow) this.#slow += 1;
  }

  /** An open request counts as slow from now on. */
  becameSlow(): void {
    this.#slow += 1;
  }

  /** The waiting room is woken next. */
  leave(slow = false): void {
    this.#open -= 1;
    if (slow) this.#slow -= 1;
  }
}

/** What a request is counted in. */
export interface Counters {
  host: Counter;
  address: Counter | null;
  share: Counter | null;
}
