import { SUSPECT_ALONE_FROM, suspectWindow } from "@markethook/store";
import { Caps } from "./caps.ts";
import type { Lane, SlotPermit } from "./lane.ts";

/** Each level has its own caps, and so only this key. */
const KEY = "";

/**
 * How many suspects are on their way: of each level a window of its own, which halves from level to level. One that is
 * to go alone waits until no other is on its way, and until it has ended no other begins.
 */
export class SuspectSlots {
  readonly #rank: number;
  readonly #levels = new Map<number, Caps<Lane>>();
  readonly #alone = new Caps<Lane>(1, { isOpen: () => this.#open === 0 });
  /** On their way, of all levels. */
  #open = 0;

  constructor(rank: number) {
    this.#rank = rank;
  }

  isFull(level: number): boolean {
    return this.#of(level).isFull(KEY);
  }

  wait(level: number, lane: Lane): SlotPermit {
    const caps = this.#of(level);
    caps.wait(KEY, lane);
    return { caps, key: KEY, rank: this.#rank };
  }

  open(level: number): void {
    this.#open += 1;
    this.#of(level).open(KEY);
  }

  /** Answers the lanes that may try now. */
  close(level: number): readonly Lane[] {
    this.#open -= 1;
    const woken = this.#of(level).close(KEY);
    if (level >= SUSPECT_ALONE_FROM) return [...woken, ...this.#wakeMany()];
    return this.#open > 0 ? woken : [...woken, ...this.#alone.wake(KEY)];
  }

  /** After a lane has tried with the slot that it was offered. Answers the lanes that may try next. */
  passOn({ caps }: SlotPermit, refused: boolean): readonly Lane[] {
    const woken = caps.passOn(KEY, refused);
    return caps === this.#alone ? [...woken, ...this.#wakeMany()] : woken;
  }

  /** No suspect that has to go alone is on its way or waits. */
  get #isOpenToMany(): boolean {
    return !this.#alone.isUsed(KEY);
  }

  #wakeMany(): Lane[] {
    if (!this.#isOpenToMany) return [];
    return [...this.#levels.values()].flatMap((caps) => caps.wake(KEY));
  }

  #of(level: number): Caps<Lane> {
    if (level >= SUSPECT_ALONE_FROM) return this.#alone;
    let caps = this.#levels.get(level);
    if (caps === undefined) {
      caps = new Caps<Lane>(suspectWindow(level), { isOpen: () => this.#isOpenToMany });
      this.#levels.set(level, caps);
    }
    return caps;
  }
}
