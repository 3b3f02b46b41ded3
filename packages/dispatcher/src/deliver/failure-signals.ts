import type { Settlement } from "@markethook/store";
import { LRUCache } from "lru-cache";

const EVERY_MS = 250;
const REMEMBERED = 10_000;

/** What was stored last for a webhook. */
interface Stored {
  at: number;
  badRequest: boolean;
  eventName: Settlement["eventName"];
  eventSeq: number;
  /** Whether a failure of another event was stored in the same time. */
  several: boolean;
  /** Failures since then. */
  left: number;
}

/**
 * Storing the health of a webhook costs more than all else that is stored with an outcome. Of one that fails often, the
 * first failure of each quarter of a second is stored, and the first of another event: a webhook is disabled only if
 * several events fail. The next signal counts those that were left out.
 */
export class FailureSignals {
  readonly #stored = new LRUCache<number, Stored>({ max: REMEMBERED });
  readonly #now: () => number;

  /** @param now Monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes the signal of a failure from its settlement if it says nothing new. */
  thinOut(settlement: Settlement): void {
    const { health, next, webhookNo, eventSeq, eventName } = settlement;
    if (health === undefined && this.#stored.size === 0) return;
    if (next.kind === "end" && next.state === "delivered") this.#stored.delete(webhookNo);
    if (health?.kind !== "failed") return;
    const { badRequest } = health;
    const last = this.#stored.get(webhookNo);
    const left = last?.left ?? 0;
    const goesOn =
      last !== undefined &&
      this.#now() - last.at < EVERY_MS &&
      last.badRequest === badRequest &&
      last.eventName === eventName;
    if (goesOn && (last.several || last.eventSeq === eventSeq)) {
      last.left += 1;
      delete settlement.health;
      return;
    }
    if (left > 0) settlement.health = { ...health, times: 1 + left };
    if (goesOn) Object.assign(last, { several: true, left: 0 });
    else {
      const at = this.#now();
      this.#stored.set(webhookNo, { at, badRequest, eventName, eventSeq, several: false, left: 0 });
    }
  }
}
