/** With four bits set for each key, a full part reports 1 of 150 absent keys as present. */
const BITS_PER_KEY = 12;
const FIRST_BITS = 2 ** 20;
/** 8 MiB; the parts of one filter together are twice as large. */
const MOST_BITS = 2 ** 26;

/**
 * Tells which keys a set certainly does not have (a Bloom filter). Keys are hashes already, so their own bytes choose
 * the bits. It grows by parts, each twice as large as the one before; after the last part it reports every key as
 * possibly present.
 */
export class KeyFilter {
  readonly #parts: Uint32Array[] = [];
  #left = 0;
  #overfull = false;

  add(key: Uint8Array): void {
    if (this.#left === 0) this.#grow();
    const part = this.#parts.at(-1);
    if (this.#overfull || part === undefined) return;
    this.#left -= 1;
    const mask = part.length * 32 - 1;
    for (let at = 0; at < 16; at += 4) {
      const bit = word(key, at) & mask;
      part[bit >>> 5] = (part[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
  }

  mayHave(key: Uint8Array): boolean {
    return this.#overfull || this.#parts.some((part) => isIn(part, key));
  }

  #grow(): void {
    const last = this.#parts.at(-1);
    const bits = last === undefined ? FIRST_BITS : last.length * 64;
    if (bits > MOST_BITS) {
      this.#overfull = true;
      this.#parts.length = 0;
      return;
    }
    this.#parts.push(new Uint32Array(bits / 32));
    this.#left = Math.floor(bits / BITS_PER_KEY);
  }
}

function isIn(part: Uint32Array, key: Uint8Array): boolean {
  const mask = part.length * 32 - 1;
  for (let at = 0; at < 16; at += 4) {
    const bit = word(key, at) & mask;
    if (((part[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
  }
  return true;
}

/** Four bytes of it as a whole number. */
function word(key: Uint8Array, at: number): number {
  return (
    ((key[at] ?? 0) |
      ((key[at + 1] ?? 0) << 8) |
      ((key[at + 2] ?? 0) << 16) |
      ((key[at + 3] ?? 0) << 24)) >>>
    0
  );
}
