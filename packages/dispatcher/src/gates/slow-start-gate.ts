import type { SendableWebhook } from "@markethook/store";
import { LRUCache } from "lru-cache";
import { Place } from "../queue/place.ts";
import type { Gate } from "./gate.ts";
import type { InstanceCount } from "./instance-count.ts";

export interface SlowStartRule {
  /** An outage of at least this length is followed by a slow start. */
  afterMs: number;
  /** Requests per second at the beginning, of all instances together. */
  perSecond: number;
  /** Time between doublings. */
  doubleEveryMs: number;
  /** Number of doublings after which it is over. */
  doublings: number;
}

/** The queues of one webhook wait here for the time of its next request. Times are monotonic milliseconds. */
class SlowStart extends Place {
  /** Null: the receiver is not back yet. */
  startedAt: number | null = null;
  nextAt = 0;

  override room(now: number): number {
    return this.nextAt <= now ? 1 : 0;
  }

  override until(): number {
    return this.nextAt;
  }
}

const REMEMBERED = 10_000;
/** Delay that may be made up for, because timers are not exact. */
const MARGIN_MS = 50;

/**
 * A receiver that was away for long has a backlog, which could overload it. So its requests begin slowly, and their
 * rate doubles until they need no limit.
 *
 * failing for long -> the first pace --a success--> slow start --doubled often enough--> no limit
 *                                                   slow start --fails shortly--> slow start
 * paused or disabled for long -> --resumed--> slow start
 */
export class SlowStartGate implements Gate {
  readonly reasons = ["slow-start"] as const;
  readonly #rule: SlowStartRule;
  readonly #now: () => number;
  readonly #instances: Pick<InstanceCount, "partOf">;
  readonly #starts = new LRUCache<number, SlowStart>({ max: REMEMBERED });

  constructor(rule: SlowStartRule, now: () => number, instances: Pick<InstanceCount, "partOf">) {
    this.#rule = rule;
    this.#now = now;
    this.#instances = instances;
  }

  wait(webhook: SendableWebhook): Place | null {
    // The usual case: no receiver is coming back.
    if (webhook.recovery === undefined && this.#starts.size === 0) return null;
    const slowStart = this.#startOf(webhook);
    return slowStart !== null && slowStart.isFull(this.#now()) ? slowStart : null;
  }

  enter(webhook: SendableWebhook): void {
    const slowStart = this.#starts.size === 0 ? undefined : this.#starts.get(webhook.no);
    if (slowStart === undefined) return;
    const now = this.#now();
    const { startedAt } = slowStart;
    const doublings =
      startedAt === null ? 0 : Math.floor((now - startedAt) / this.#rule.doubleEveryMs);
    const perSecond = this.#instances.partOf(this.#rule.perSecond * 2 ** doublings);
    slowStart.nextAt = Math.max(slowStart.nextAt, now - MARGIN_MS) + 1000 / perSecond;
  }

  #startOf({ no, recovery }: SendableWebhook): SlowStart | null {
    const now = this.#now();
    let slowStart = this.#starts.get(no) ?? null;
    // One that fails only shortly goes on with the slow start that it is in.
    if (recovery?.failingMs != null && recovery.failingMs >= this.#rule.afterMs) {
      if (slowStart === null) slowStart = this.#begin(no, null);
      slowStart.startedAt = null;
      return slowStart;
    }
    if (slowStart?.startedAt === null) slowStart.startedAt = now;
    else if (
      slowStart === null &&
      recovery?.resumedMs != null &&
      recovery.awayMs >= this.#rule.afterMs
    ) {
      const startedAt = now - recovery.resumedMs;
      if (this.#isOver(startedAt, now)) return null;
      slowStart = this.#begin(no, startedAt);
    }
    if (
      slowStart === null ||
      slowStart.startedAt === null ||
      !this.#isOver(slowStart.startedAt, now)
    )
      return slowStart;
    this.#starts.delete(no);
    return null;
  }

  #begin(no: number, startedAt: number | null): SlowStart {
    const slowStart = new SlowStart("slow-start", `webhook ${no}`);
    slowStart.startedAt = startedAt;
    this.#starts.set(no, slowStart);
    return slowStart;
  }

  #isOver(startedAt: number, now: number): boolean {
    return now - startedAt >= this.#rule.doubleEveryMs * this.#rule.doublings;
  }
}
