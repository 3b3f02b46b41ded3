/** Progress of a request. Its thread writes it into shared memory before it goes on. */
export const QUEUED = 0;
/** The thread has begun with the request, which from now on may be what ends the thread. */
export const BEGUN = 1;
/** Its first byte may have been written. */
export const WRITTEN = 2;

const AT_FIRST = 1024;
const MOST = 1_048_576;

/** A byte for each open request of one thread, which can be read after the thread has ended. */
export class Slots {
  readonly memory = new SharedArrayBuffer(AT_FIRST, { maxByteLength: MOST });
  /** Its length follows the memory's. */
  readonly #progress = new Uint8Array(this.memory);
  readonly #free: number[] = [];
  #used = 0;

  take(): number {
    let slot = this.#free.pop();
    if (slot === undefined) {
      if (this.#used === this.#progress.length) this.memory.grow(this.#used * 2);
      slot = this.#used;
      this.#used += 1;
    }
    Atomics.store(this.#progress, slot, QUEUED);
    return slot;
  }

  free(slot: number): void {
    this.#free.push(slot);
  }

  progress(slot: number): number {
    return Atomics.load(this.#progress, slot);
  }
}
