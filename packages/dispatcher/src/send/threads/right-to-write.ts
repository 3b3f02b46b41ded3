const [UNTIL, INSTANCE, CLOCK_GAP, MOST_JUMP] = [0, 1, 2, 3];

/** Clocks that are read one after the other may seem to part by as much. */
const LEAST_JUMP_MS = 1000;

/**
 * The wall clock and the monotonic clock part by more only after the machine slept or a clock was set. A shorter sleep, in
 * which the monotonic clock stands still, is over before others may judge an instance dead: a third of the time for which
 * it may write is left until then.
 */
export function mostClockJumpMs(writeMs: number): number {
  return Math.max(LEAST_JUMP_MS, writeMs / 3);
}

/** A moment on the machine's clocks, in milliseconds. */
export interface Moment {
  monotonic: bigint;
  /** The wall clock minus the monotonic one. */
  clockGap: bigint;
}

export interface RightToWriteOptions {
  wallNow: () => number;
  /** Memory of another thread's `RightToWrite`; left out: new memory. */
  memory?: SharedArrayBuffer;
}

/**
 * Says which instance may write requests, and until when, in memory that threads share. Messages would not do: a main
 * thread that is blocked cannot tell other threads that its time is over.
 */
export class RightToWrite {
  readonly memory: SharedArrayBuffer;
  readonly #words: BigInt64Array;
  readonly #wallNow: () => number;

  constructor({ wallNow, memory = new SharedArrayBuffer(32) }: RightToWriteOptions) {
    this.memory = memory;
    this.#words = new BigInt64Array(memory);
    this.#wallNow = wallNow;
  }

  /** `process.hrtime` is the same in all threads; `performance.now` counts from a thread's own start. */
  moment(): Moment {
    const monotonic = process.hrtime.bigint() / 1_000_000n;
    return { monotonic, clockGap: BigInt(Math.floor(this.#wallNow())) - monotonic };
  }

  /** Grants the right for `forMs` from a moment on. A pause since then makes the rest shorter, never longer. */
  grant(instanceNo: number, from: Moment, forMs: number): void {
    // No thread may see the new instance together with the old one's end.
    if (Atomics.load(this.#words, INSTANCE) !== BigInt(instanceNo)) this.withdraw();
    Atomics.store(this.#words, INSTANCE, BigInt(instanceNo));
    Atomics.store(this.#words, CLOCK_GAP, from.clockGap);
    Atomics.store(this.#words, MOST_JUMP, BigInt(Math.floor(mostClockJumpMs(forMs))));
    Atomics.store(this.#words, UNTIL, from.monotonic + BigInt(Math.floor(forMs)));
  }

  withdraw(): void {
    Atomics.store(this.#words, UNTIL, 0n);
  }

  mayWrite(instanceNo: number): boolean {
    const until = Atomics.load(this.#words, UNTIL);
    if (Atomics.load(this.#words, INSTANCE) !== BigInt(instanceNo)) return false;
    const { monotonic, clockGap } = this.moment();
    const jump = clockGap - Atomics.load(this.#words, CLOCK_GAP);
    const most = Atomics.load(this.#words, MOST_JUMP);
    return monotonic < until && jump <= most && jump >= -most;
  }
}
