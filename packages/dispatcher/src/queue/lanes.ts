import { type QueueEntry, Lane } from "./lane.ts";
import type { Ledgers } from "./ledger.ts";

const FIRST_LIMIT = 2;
const IDLE_LANES = 5000;

/** Suspects of level 1 are most of what was in memory when a process ended: they stand among the others. */
const APART_FROM = 2;
const LEVELS = 32;

/** Each webhook's lane, and next to it one for each higher level of its suspects if it has any. */
export class Lanes {
  readonly #ledgers: Ledgers;
  readonly #lanes = new Map<number, Lane>();
  readonly #suspects = new Map<number, Lane>();

  constructor(ledgers: Ledgers) {
    this.#ledgers = ledgers;
  }

  all(): Lane[] {
    return [...this.#lanes.values(), ...this.#suspects.values()];
  }

  of({ delivery }: QueueEntry): Lane {
    const { webhookNo: no, suspicion } = delivery;
    const suspect = suspicion >= APART_FROM;
    const lanes = suspect ? this.#suspects : this.#lanes;
    const key = suspect ? no * LEVELS + Math.min(suspicion, LEVELS - 1) : no;
    let lane = lanes.get(key);
    if (lane === undefined) {
      lane = new Lane(no, key, suspect ? 1 : FIRST_LIMIT, suspect, this.#ledgers);
      lanes.set(key, lane);
    }
    return lane;
  }

  /** What is learned of idle webhooks is kept for the most recent ones only. */
  forgetIfIdle(lane: Lane): void {
    if (lane.length > 0 || lane.open > 0 || lane.queued) return;
    if (lane.suspect) this.#suspects.delete(lane.key);
    else if (this.#lanes.size > IDLE_LANES) this.#lanes.delete(lane.no);
  }
}
