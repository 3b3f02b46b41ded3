const CHUNK_BYTES = 2 ** 20;
/** Before each name and text: their lengths, in one byte and in two. */
const LENGTHS = 3;
const LONGEST_NAME = 2 ** 8 - 1;
const LONGEST_TEXT = 2 ** 16 - 1;
/** Characters of a name that choose its slot. */
const HASHED = 8;

/**
 * Texts by name, as bytes outside of V8's heap. In a map, the texts of 100,000 webhooks are marked by each collection, and
 * let the heap grow by a part of their size. Names are ASCII, and most differ in their first characters.
 */
export class RememberedTexts {
  readonly #most: number;
  /** Place of an entry, counted from 1; 0: free. If an entry's slot is taken, it has the next free one. */
  readonly #slots: Uint32Array;
  readonly #chunks: Buffer[] = [];
  /** Used bytes of the last chunk. */
  #used = CHUNK_BYTES;
  #size = 0;

  constructor(most: number) {
    this.#most = most;
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * most + 1)));
  }

  get(name: string): string | undefined {
    const place = this.#slots[this.#slotOf(name)] ?? 0;
    if (place === 0) return undefined;
    const { chunk, at } = this.#find(place);
    const from = at + LENGTHS + name.length;
    return chunk.toString("utf8", from, from + chunk.readUInt16LE(at + 1));
  }

  /** Adds a text whose name is new. Returns false if there is no room, or one of both is too long. */
  add(name: string, text: string): boolean {
    const bytes = Buffer.byteLength(text);
    if (this.#size >= this.#most || name.length > LONGEST_NAME || bytes > LONGEST_TEXT)
      return false;
    const length = LENGTHS + name.length + bytes;
    if (this.#used + length > CHUNK_BYTES) {
      this.#chunks.push(Buffer.allocUnsafeSlow(CHUNK_BYTES));
      this.#used = 0;
    }
    const place = (this.#chunks.length - 1) * CHUNK_BYTES + this.#used + 1;
    this.#slots[this.#slotOf(name)] = place;
    const { chunk, at } = this.#find(place);
    chunk.writeUInt8(name.length, at);
    chunk.writeUInt16LE(bytes, at + 1);
    chunk.write(name, at + LENGTHS, "latin1");
    chunk.write(text, at + LENGTHS + name.length, "utf8");
    this.#used += length;
    this.#size += 1;
    return true;
  }

  clear(): void {
    this.#slots.fill(0);
    this.#chunks.length = 0;
    this.#used = CHUNK_BYTES;
    this.#size = 0;
  }

  /** The slot of the name, or the free one that it would get. */
  #slotOf(name: string): number {
    const last = this.#slots.length - 1;
    for (let slot = hashOf(name) & last; ; slot = (slot + 1) & last) {
      const place = this.#slots[slot] ?? 0;
      if (place === 0 || this.#isNamed(place, name)) return slot;
    }
  }

  #isNamed(place: number, name: string): boolean {
    const { chunk, at } = this.#find(place);
    const from = at + LENGTHS;
    return chunk[at] === name.length && chunk.toString("latin1", from, from + name.length) === name;
  }

  #find(place: number): { chunk: Buffer; at: number } {
    const chunk = this.#chunks[Math.floor((place - 1) / CHUNK_BYTES)];
    if (chunk === undefined) throw new RangeError(`no text is at ${place}`);
    return { chunk, at: (place - 1) % CHUNK_BYTES };
  }
}

function hashOf(name: string): number {
  let hash = 0;
  for (let at = 0; at < Math.min(name.length, HASHED); at += 1)
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}
