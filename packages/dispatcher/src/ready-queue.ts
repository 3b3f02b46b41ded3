import { Fifo } from "./fifo.ts";
import type { Lane } from "./lane.ts";

/** Lanes whose turn comes, first in first out; each stands in it at most once. */
export class ReadyQueue {
  readonly #lanes = new Fifo<Lane>();
  readonly #first = new Fifo<Lane>();

  get isEmpty(): boolean {
    return this.#lanes.length === 0 && this.#first.length === 0;
  }

  /** Only a lane that has something to send, may send, and stands nowhere else. */
  add(lane: Lane): void {
    this.#add(lane, this.#lanes);
  }

  /** These waited elsewhere. */
  addAgain(lanes: readonly Lane[]): void {
    for (const lane of lanes) {
      lane.queued = false;
      this.add(lane);
    }
  }

  /** It was their turn already, and what was read for them would be too old at the next. */
  addFirst(lanes: Iterable<Lane>): void {
    for (const lane of lanes) {
      lane.queued = false;
      this.#add(lane, this.#first);
    }
  }

  next(): Lane | undefined {
    const lane = this.#first.shift() ?? this.#lanes.shift();
    if (lane !== undefined) lane.queued = false;
    return lane;
  }

  #add(lane: Lane, queue: Fifo<Lane>): void {
    if (lane.queued || lane.length === 0 || lane.open >= lane.limit) return;
    lane.queued = true;
    queue.push(lane);
  }
}
