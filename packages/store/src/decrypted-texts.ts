/**
 * Each text may be in one of three slots; with 200,000 texts about one in a hundred finds all taken. A power of two.
 */
const SLOTS = 2 ** 19;
/** Offset and length of the slot index inside the tag. */
const PLACES = [0, 7, 14];
const SPREAD = 7;
/**
 * Decrypted texts, by the tag of the encrypted one and by its row. A tag is as good as a random number, so its
 * characters serve as the index. Two plain lists hold the texts, because a map of 100,000 entries keeps the garbage
 * collector busy. Each look-up returns the same string, not a copy, so look-ups by it are fast.
 */
export class DecryptedTexts {
  /** Tag and row. */
  #names: (string | undefined)[] = [];
  #plains: (string | undefined)[] = [];

  /** @param tag 21 characters or more, always the same number. */
  get(tag: string, rowId: string): string | undefined {
    for (const place of PLACES) {
      const slot = slotOf(tag, place);
      const name = this.#names[slot];
      if (name !== undefined && isNameOf(name, tag, rowId)) return this.#plains[slot];
    }
    return undefined;
  }

  set(tag: string, rowId: string, plain: string): void {
    if (this.#names.length === 0) {
      this.#names = slots();
      this.#plains = slots();
    }
    const places = PLACES.map((place) => slotOf(tag, place));
    const slot = places.find((one) => this.#names[one] === undefined) ?? places[0];
    if (slot === undefined) return;
    // One flat text: a concatenation would stay a tree of its parts.
    this.#names[slot] = [tag, rowId].join("");
    this.#plains[slot] = plain;
  }
}

function slots(): (string | undefined)[] {
  // oxlint-disable-next-line unicorn/no-new-array -- made in a hundredth of the time, once for each process
  return new Array<string | undefined>(SLOTS);
}

function isNameOf(name: string, tag: string, rowId: string): boolean {
  return name.length === tag.length + rowId.length && name.startsWith(tag) && name.endsWith(rowId);
}

function slotOf(tag: string, from: number): number {
  let number = 0;
  for (let at = from; at < from + SPREAD; at += 1) {
    number = Math.imul(number, 31) + tag.charCodeAt(at);
  }
  return number & (SLOTS - 1);
}
