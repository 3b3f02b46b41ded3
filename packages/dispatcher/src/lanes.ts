import { type Held, Lane } from "./lane.ts";
import type { Ledgers } from "./ledger.ts";

const FIRST_LIMIT = 2;
const IDLE_LANES = 5000;

/** Each webhook's lane, and beside it one for its suspects if it has any. */
export class Lanes {
  readonly #suspectAfter: number;
  readonly #ledgers: Ledgers;
  readonly #lanes = new Map<number, Lane>();
  readonly #suspects = new Map<number, Lane>();

  constructor(suspectAfter: number, ledgers: Ledgers) {
    this.#suspectAfter = suspectAfter;
    this.#ledgers = ledgers;
  }

  all(): Lane[] {
    return [...this.#lanes.values(), ...this.#suspects.values()];
  }

  of({ delivery }: Held): Lane {
    const no = delivery.webhookNo;
    const suspect = delivery.rescues >= this.#suspectAfter;
    const lanes = suspect ? this.#suspects : this.#lanes;
    let lane = lanes.get(no);
    if (lane === undefined) {
      lane = new Lane(no, suspect ? 1 : FIRST_LIMIT, suspect, this.#ledgers);
      lanes.set(no, lane);
    }
    return lane;
  }

  /** What is learned of idle webhooks is kept for the most recent ones only. */
  forgetIfIdle(lane: Lane): void {
    if (lane.length > 0 || lane.open > 0 || lane.queued) return;
    if (lane.suspect) this.#suspects.delete(lane.no);
    else if (this.#lanes.size > IDLE_LANES) this.#lanes.delete(lane.no);
  }
}
