import type { StoreHint } from "@markethook/store";
import type { Choices } from "./choices.ts";
import type { Machine } from "./machine.ts";
import type { Timeline } from "./timeline.ts";

type Listener = (hint: StoreHint) => void;

/** What instances tell each other, as PostgreSQL passes it on: soon, and some of it never. */
export class Hints {
  readonly #timeline: Timeline;
  readonly #random: Choices;
  /** 0: each of them is lost. */
  readonly #part: number;
  readonly #listeners = new Map<Machine, Listener>();

  constructor(timeline: Timeline, random: Choices, part: number) {
    this.#timeline = timeline;
    this.#random = random;
    this.#part = part;
  }

  listen(machine: Machine, listener: Listener): void {
    this.#listeners.set(machine, listener);
  }

  tell(from: Machine, hint: StoreHint): void {
    if (this.#part === 0) return;
    for (const [machine, listener] of this.#listeners) {
      if (machine.state === "dead") this.#listeners.delete(machine);
      else if (machine !== from && this.#random.chance(this.#part)) {
        this.#timeline.after(this.#random.between(1, 80), machine, () => listener(hint));
      }
    }
  }
}
