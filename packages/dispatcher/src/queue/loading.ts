import type { Lane } from "./lane.ts";

/** Lanes whose webhook is being read; a webhook's suspects have a lane of their own. */
export class Loading {
  readonly #lanes = new Map<number, Lane[]>();

  /** Webhooks, not lanes. */
  get size(): number {
    return this.#lanes.size;
  }

  add(lane: Lane): void {
    const lanes = this.#lanes.get(lane.no);
    if (lanes === undefined) this.#lanes.set(lane.no, [lane]);
    else lanes.push(lane);
  }

  /** Those that waited for one of these. */
  take(nos: readonly number[]): Lane[] {
    return nos.flatMap((no) => {
      const lanes = this.#lanes.get(no) ?? [];
      this.#lanes.delete(no);
      return lanes;
    });
  }
}
