import type { SendableWebhook } from "@markethook/store";
import { LRUCache } from "lru-cache";
import type { Gate, GateWait } from "./gate.ts";

export interface RampRule {
  /** An outage this long is followed by a ramp. */
  afterMs: number;
  /** Requests in a second to begin with. */
  perSecond: number;
  /** How often that doubles. */
  doubleEveryMs: number;
  /** Doublings after which it is over. */
  doublings: number;
}

interface Ramp {
  /** Null: not back yet. */
  startedAt: number | null;
  nextAt: number;
}

const REMEMBERED = 10_000;
/** So much may be made up for: timers are not exact. */
const SLACK_MS = 50;
const NAME = "ramp:";

/**
 * A receiver that was away for long has a backlog waiting, and would be knocked over by it: its requests begin slowly
 * and double until they need no limit.
 *
 * failing for long -> the first pace --a success--> ramp --doubled often enough--> no limit
 * paused or disabled for long -> --resumed--> ramp
 */
export class RampGate implements Gate {
  readonly #rule: RampRule;
  readonly #now: () => number;
  readonly #ramps = new LRUCache<number, Ramp>({ max: REMEMBERED });

  constructor(rule: RampRule, now: () => number) {
    this.#rule = rule;
    this.#now = now;
  }

  wait(webhook: SendableWebhook): GateWait | null {
    // Nobody is coming back: the usual case.
    if (webhook.comeback === undefined && this.#ramps.size === 0) return null;
    const ramp = this.#rampOf(webhook);
    if (ramp === null || ramp.nextAt <= this.#now()) return null;
    return { gate: this, key: NAME + webhook.no, until: ramp.nextAt };
  }

  enter(webhook: SendableWebhook): void {
    const ramp = this.#ramps.size === 0 ? undefined : this.#ramps.get(webhook.no);
    if (ramp === undefined) return;
    const now = this.#now();
    const perSecond = this.#rule.perSecond * 2 ** this.#doublings(ramp, now);
    ramp.nextAt = Math.max(ramp.nextAt, now - SLACK_MS) + 1000 / perSecond;
  }

  leave(): void {}

  look(key: string): { room: number; until: number } {
    const ramp = this.#ramps.get(Number(key.slice(NAME.length)));
    const now = this.#now();
    if (ramp === undefined || ramp.nextAt <= now) return { room: Infinity, until: now };
    return { room: 0, until: ramp.nextAt };
  }

  #rampOf({ no, comeback }: SendableWebhook): Ramp | null {
    const now = this.#now();
    let ramp = this.#ramps.get(no) ?? null;
    if (comeback?.failingMs != null) {
      if (comeback.failingMs < this.#rule.afterMs) return null;
      if (ramp === null) ramp = this.#begin(no, null);
      ramp.startedAt = null;
      return ramp;
    }
    if (ramp?.startedAt === null) ramp.startedAt = now;
    else if (
      ramp === null &&
      comeback?.resumedMs != null &&
      comeback.awayMs >= this.#rule.afterMs
    ) {
      const startedAt = now - comeback.resumedMs;
      if (this.#isOver(startedAt, now)) return null;
      ramp = this.#begin(no, startedAt);
    }
    if (ramp === null || ramp.startedAt === null || !this.#isOver(ramp.startedAt, now)) return ramp;
    this.#ramps.delete(no);
    return null;
  }

  #begin(no: number, startedAt: number | null): Ramp {
    const ramp = { startedAt, nextAt: 0 };
    this.#ramps.set(no, ramp);
    return ramp;
  }

  #isOver(startedAt: number, now: number): boolean {
    return now - startedAt >= this.#rule.doubleEveryMs * this.#rule.doublings;
  }

  #doublings({ startedAt }: Ramp, now: number): number {
    return startedAt === null ? 0 : Math.floor((now - startedAt) / this.#rule.doubleEveryMs);
  }
}
