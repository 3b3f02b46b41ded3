/** A text each has one of two; with 100,000 texts one in twenty finds both taken. A power of two. */
const SLOTS = 2 ** 18;
/** So many characters of the tag say where its slot is. */
const SPREAD = 8;
/** Stands in no row's id. */
const END = "\n";

/**
 * What was opened, by its seal's tag and its row. A tag is as good as a random number, so that its characters say where
 * to look. One text in each slot and nothing beside it: a map of 100,000 entries keeps the garbage collector busy.
 */
export class OpenedTexts {
  #slots: (string | undefined)[] = [];

  /** @param tag 16 characters or more, always as many. */
  get(tag: string, rowId: string): string | undefined {
    return (
      plainOf(this.#slots[slotOf(tag, 0)], tag, rowId) ??
      plainOf(this.#slots[slotOf(tag, SPREAD)], tag, rowId)
    );
  }

  set(tag: string, rowId: string, plain: string): void {
    // oxlint-disable-next-line unicorn/no-new-array -- made in a hundredth of the time, once for each process
    if (this.#slots.length === 0) this.#slots = new Array<string | undefined>(SLOTS);
    const [first, second] = [slotOf(tag, 0), slotOf(tag, SPREAD)];
    const slot = this.#slots[first] === undefined ? first : second;
    // One text without parts: added up it would stay a tree of them.
    this.#slots[slot] = [tag, rowId, END, plain].join("");
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
