/** A text has one of three; with 200,000 texts about one in a hundred finds all taken. A power of two. */
const SLOTS = 2 ** 19;
/** Where in the tag stand the characters that say where a slot is, and how many of them. */
const PLACES = [0, 7, 14];
const SPREAD = 7;
/** Stands in no row's id. */
const END = "\n";

/**
 * What was opened, by its seal's tag and its row. A tag is as good as a random number, so that its characters say where
 * to look. One text in each slot and nothing beside it: a map of 100,000 entries keeps the garbage collector busy.
 */
export class OpenedTexts {
  #slots: (string | undefined)[] = [];

  /** @param tag 21 characters or more, always as many. */
  get(tag: string, rowId: string): string | undefined {
    for (const place of PLACES) {
      const plain = plainOf(this.#slots[slotOf(tag, place)], tag, rowId);
      if (plain !== undefined) return plain;
    }
    return undefined;
  }

  set(tag: string, rowId: string, plain: string): void {
    // oxlint-disable-next-line unicorn/no-new-array -- made in a hundredth of the time, once for each process
    if (this.#slots.length === 0) this.#slots = new Array<string | undefined>(SLOTS);
    const slots = PLACES.map((place) => slotOf(tag, place));
    const slot = slots.find((one) => this.#slots[one] === undefined) ?? slots[0];
    // One text without parts: added up it would stay a tree of them.
    if (slot !== undefined) this.#slots[slot] = [tag, rowId, END, plain].join("");
  }
}

function plainOf(found: string | undefined, tag: string, rowId: string): string | undefined {
  if (found === undefined || !found.startsWith(tag)) return undefined;
  const end = tag.length + rowId.length;
  if (!found.startsWith(rowId, tag.length) || found[end] !== END) return undefined;
  return found.slice(end + 1);
}

function slotOf(tag: string, from: number): number {
  let number = 0;
  for (let at = from; at < from + SPREAD; at += 1) {
    number = Math.imul(number, 31) + tag.charCodeAt(at);
  }
  return number & (SLOTS - 1);
}
