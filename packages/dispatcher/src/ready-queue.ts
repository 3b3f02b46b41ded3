import type { Lane } from "./lane.ts";

const LOOSE = 256;

/** Lanes whose turn comes, first in first out; each stands in it at most once. */
export class ReadyQueue {
  #lanes: Lane[] = [];
  #head = 0;

  get isEmpty(): boolean {
    return this.#head >= this.#lanes.length;
  }

  /** Only a lane that has something to send, may send, and stands nowhere else. */
  add(lane: Lane): void {
    if (lane.queued || lane.length === 0 || lane.open >= lane.limit) return;
    lane.queued = true;
    this.#lanes.push(lane);
  }

  /** These waited elsewhere. */
  addAgain(lanes: readonly Lane[]): void {
    for (const lane of lanes) {
      lane.queued = false;
      this.add(lane);
    }
  }

  next(): Lane | undefined {
    const lane = this.#lanes[this.#head];
    if (lane === undefined) return undefined;
    this.#head += 1;
    if (this.#head > LOOSE && this.#head * 2 > this.#lanes.length) {
      this.#lanes = this.#lanes.slice(this.#head);
      this.#head = 0;
    }
    lane.queued = false;
    return lane;
  }
}
