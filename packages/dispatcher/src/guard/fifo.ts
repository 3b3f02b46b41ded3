const LOOSE = 256;

/** First in, first out. Taking the first takes constant time; an array would move all others. */
export class Fifo<Item> {
  #items: (Item | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    const item = this.#items[this.#head];
    if (this.length === 0) return undefined;
    // A removed item must not stay in memory: it may be large.
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head > LOOSE && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Returns false if the item is not in here. */
  remove(item: Item): boolean {
    const at = this.#items.indexOf(item, this.#head);
    if (at === -1) return false;
    this.#items.splice(at, 1);
    return true;
  }
}
