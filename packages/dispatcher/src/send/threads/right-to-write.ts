const [UNTIL, INSTANCE, CLOCK_GAP] = [0, 1, 2];

/** The wall clock and the monotonic clock part by this much only when the machine slept or the clock was set. */
const CLOCK_JUMP_MS = 3000n;

/**
 * Which instance may write requests, and until when, in memory that threads share: a main thread that stands still
 * cannot tell anybody that its time is over.
 */
export class RightToWrite {
  readonly memory: SharedArrayBuffer;
  readonly #words: BigInt64Array;

  constructor(memory = new SharedArrayBuffer(24)) {
    this.memory = memory;
    this.#words = new BigInt64Array(memory);
  }

  /** From now on for so many milliseconds. */
  grant(instanceNo: number, forMs: number): void {
    // Nobody may see the new instance beside the end of an old one's time.
    Atomics.store(this.#words, UNTIL, 0n);
    Atomics.store(this.#words, INSTANCE, BigInt(instanceNo));
    Atomics.store(this.#words, CLOCK_GAP, clockGap());
    Atomics.store(this.#words, UNTIL, now() + BigInt(Math.floor(forMs)));
  }

  withdraw(): void {
    Atomics.store(this.#words, UNTIL, 0n);
  }

  mayWrite(instanceNo: number): boolean {
    const until = Atomics.load(this.#words, UNTIL);
    if (Atomics.load(this.#words, INSTANCE) !== BigInt(instanceNo) || now() >= until) return false;
    const jump = clockGap() - Atomics.load(this.#words, CLOCK_GAP);
    return jump <= CLOCK_JUMP_MS && jump >= -CLOCK_JUMP_MS;
  }
}

/** Milliseconds of the machine's clock, in which threads agree; `performance.now` counts from a thread's own start. */
function now(): bigint {
  return process.hrtime.bigint() / 1_000_000n;
}

function clockGap(): bigint {
  return BigInt(Date.now()) - now();
}
