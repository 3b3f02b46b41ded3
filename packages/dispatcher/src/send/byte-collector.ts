const NOTHING = Buffer.alloc(0);
const SMALLEST = 512;

/**
 * Copies pieces into one growing buffer up to a limit. A list of pieces would be dangerous: a hostile sender of
 * one-byte pieces would make it a hundred times as large as its content.
 */
export class ByteCollector {
  /** True if more bytes came than the limit keeps. */
  overflowed = false;
  readonly #limit: number;
  #buffer = NOTHING;
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): Buffer {
    return this.#buffer.length === this.#length
      ? this.#buffer
      : this.#buffer.subarray(0, this.#length);
  }

  add(from: Buffer, start: number, end: number): void {
    let size = end - start;
    const room = this.#limit - this.#length;
    if (size > room) {
      this.overflowed = true;
      size = room;
    }
    if (size <= 0) return;
    const needed = this.#length + size;
    if (needed > this.#buffer.length) this.#grow(needed);
    from.copy(this.#buffer, this.#length, start, start + size);
    this.#length = needed;
  }

  #grow(needed: number): void {
    // The first piece is usually the only one, and then fits exactly.
    const size =
      this.#length === 0 ? needed : Math.min(this.#limit, Math.max(SMALLEST, needed * 2));
    const larger = Buffer.allocUnsafe(size);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
