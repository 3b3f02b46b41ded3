const NOTHING = new Uint8Array();
const SMALLEST = 4096;

/** A body while it arrives, in one piece of memory: a list of small pieces would take hundreds of bytes for each. */
export class GrowingBytes {
  /** Of memory, unless more comes. */
  readonly #most: number;
  #memory: Uint8Array = NOTHING;
  #size = 0;

  /** `announced`: the `Content-Length`, 0 or NaN where there is none. Memory grows only with received bytes. */
  constructor(limit: number, announced: number) {
    this.#most = announced > 0 ? Math.min(limit, announced) : limit;
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#size);
  }

  add(piece: Uint8Array): void {
    const size = this.#size + piece.length;
    if (this.#size === 0) {
      // Most bodies come in one piece, which is kept as it is.
      this.#memory = piece;
    } else {
      if (size > this.#memory.length) this.#grow(size);
      this.#memory.set(piece, this.#size);
    }
    this.#size = size;
  }

  #grow(least: number): void {
    const doubled = Math.max(SMALLEST, 2 * this.#memory.length);
    const larger = new Uint8Array(Math.max(least, Math.min(this.#most, doubled)));
    larger.set(this.#memory.subarray(0, this.#size));
    this.#memory = larger;
  }
}
