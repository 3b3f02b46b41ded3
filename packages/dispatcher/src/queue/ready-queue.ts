import { Fifo } from "./fifo.ts";
import type { Lane } from "./lane.ts";

/** Lanes whose turn comes, first in first out; each stands in it at most once. */
export class ReadyQueue {
  readonly #lanes = new Fifo<Lane>();
  readonly #first = new Fifo<Lane>();
  readonly #read = new Fifo<Lane>();

  get isEmpty(): boolean {
    return this.#lanes.length === 0 && this.#first.length === 0 && this.#read.length === 0;
  }

  /** Only a lane that has something to send, may send, and stands nowhere else. */
  add(lane: Lane): void {
    if (!lane.queued && lane.length > 0 && lane.open < lane.limit) put(lane, this.#lanes);
  }

  /** It was their turn already; also those that have nothing to send now, for what is kept for them. */
  addFirst(lanes: Iterable<Lane>): void {
    for (const lane of lanes) put(lane, this.#first);
  }

  /** Before all others: what was read for them would be too old soon, and be read again for nothing. */
  addRead(lanes: Iterable<Lane>): void {
    for (const lane of lanes) put(lane, this.#read);
  }

  next(): Lane | undefined {
    const lane = this.#read.shift() ?? this.#first.shift() ?? this.#lanes.shift();
    if (lane !== undefined) lane.queued = false;
    return lane;
  }
}

function put(lane: Lane, queue: Fifo<Lane>): void {
  lane.queued = true;
  queue.push(lane);
}
