/** Counts the open sockets of all senders that share a limit: each writes its own number, and reads the sum. */
export class SocketCount {
  readonly #counts: Int32Array;
  readonly #index: number;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(4), index = 0) {
    this.#counts = new Int32Array(memory);
    this.#index = index;
  }

  static memoryFor(senders: number): SharedArrayBuffer {
    return new SharedArrayBuffer(senders * 4);
  }

  get all(): number {
    let sum = 0;
    for (let index = 0; index < this.#counts.length; index += 1) {
      sum += Atomics.load(this.#counts, index);
    }
    return sum;
  }

  add(count: number): void {
    Atomics.add(this.#counts, this.#index, count);
  }

  /** Call when the sender with this number has ended, and its sockets with it. */
  reset(): void {
    Atomics.store(this.#counts, this.#index, 0);
  }
}
