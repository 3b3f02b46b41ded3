const KEY_BYTES = 16;
/** By a key's first two bytes: with 131,072 keys a chain has two. */
const CHAINS = 2 ** 16;
/** By a key's first twelve bits. */
export const BUCKETS = 2 ** 12;
const CHAINS_PER_BUCKET = CHAINS / BUCKETS;
const FIRST_ENTRIES = 1024;

/** What a bucket had. */
export interface TakenKeys {
  nos: number[];
  /** One after the other. */
  keys: Uint8Array;
}

/**
 * Row numbers by key, in buckets of keys that begin alike. It lies outside the heap: a hundred thousand keys in maps would
 * be visited and copied by each garbage collection.
 */
export class KeyTable {
  /** Entry 0 stands for none. */
  #keys = new Uint8Array(FIRST_ENTRIES * KEY_BYTES);
  #nos = new Float64Array(FIRST_ENTRIES);
  #next = new Uint32Array(FIRST_ENTRIES);
  readonly #chains = new Uint32Array(CHAINS);
  /** A chain of entries that were deleted. */
  #free = 0;
  /** No entry from here on was ever used. */
  #unused = 1;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: Uint8Array): number | undefined {
    for (let entry = this.#chains[chainOf(key)] ?? 0; entry > 0; entry = this.#next[entry] ?? 0) {
      if (this.#has(entry, key)) return this.#nos[entry];
    }
    return undefined;
  }

  /** @param key one that it does not have */
  add(key: Uint8Array, no: number): void {
    const entry = this.#newEntry();
    const chain = chainOf(key);
    this.#keys.set(key, entry * KEY_BYTES);
    this.#nos[entry] = no;
    this.#next[entry] = this.#chains[chain] ?? 0;
    this.#chains[chain] = entry;
    this.#size += 1;
  }

  delete(key: Uint8Array): void {
    const chain = chainOf(key);
    let before = 0;
    for (let entry = this.#chains[chain] ?? 0; entry > 0; entry = this.#next[entry] ?? 0) {
      if (this.#has(entry, key)) {
        const after = this.#next[entry] ?? 0;
        if (before === 0) this.#chains[chain] = after;
        else this.#next[before] = after;
        this.#release(entry);
        return;
      }
      before = entry;
    }
  }

  /** Removes a bucket's keys. */
  take(bucket: number): TakenKeys {
    const nos: number[] = [];
    const entries: number[] = [];
    const first = bucket * CHAINS_PER_BUCKET;
    for (let chain = first; chain < first + CHAINS_PER_BUCKET; chain += 1) {
      for (let entry = this.#chains[chain] ?? 0; entry > 0; entry = this.#next[entry] ?? 0) {
        nos.push(this.#nos[entry] ?? 0);
        entries.push(entry);
      }
      this.#chains[chain] = 0;
    }
    const keys = new Uint8Array(entries.length * KEY_BYTES);
    for (const [index, entry] of entries.entries()) {
      const from = entry * KEY_BYTES;
      keys.set(this.#keys.subarray(from, from + KEY_BYTES), index * KEY_BYTES);
      this.#release(entry);
    }
    return { nos, keys };
  }

  #has(entry: number, key: Uint8Array): boolean {
    const from = entry * KEY_BYTES;
    for (let at = 0; at < KEY_BYTES; at += 1) {
      if (this.#keys[from + at] !== key[at]) return false;
    }
    return true;
  }

  #newEntry(): number {
    const freed = this.#free;
    if (freed > 0) {
      this.#free = this.#next[freed] ?? 0;
      return freed;
    }
    if (this.#unused === this.#nos.length) this.#grow();
    this.#unused += 1;
    return this.#unused - 1;
  }

  #release(entry: number): void {
    this.#next[entry] = this.#free;
    this.#free = entry;
    this.#size -= 1;
  }

  #grow(): void {
    const { length } = this.#nos;
    const [keys, nos, next] = [this.#keys, this.#nos, this.#next];
    this.#keys = new Uint8Array(2 * length * KEY_BYTES);
    this.#nos = new Float64Array(2 * length);
    this.#next = new Uint32Array(2 * length);
    this.#keys.set(keys);
    this.#nos.set(nos);
    this.#next.set(next);
  }
}

export function bucketOf(key: Uint8Array): number {
  return Math.floor(chainOf(key) / CHAINS_PER_BUCKET);
}

/** The one of that index among keys that lie one after the other. */
export function keyAt(keys: Uint8Array, index: number): Uint8Array {
  return keys.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES);
}

function chainOf(key: Uint8Array): number {
  return (key[0] ?? 0) * 256 + (key[1] ?? 0);
}
