const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;

interface Hold {
  /** What its receiver asked for. */
  until: number;
  /** For the memory that it would take. */
  pausedUntil: number;
  /** How long the last pause was; 0: none. */
  pauseMs: number;
}

/** Webhooks that are left alone for a while: their receivers asked for it, or they would hold too much memory. */
export class Holds {
  readonly #holds = new Map<number, Hold>();

  /** The later one counts. */
  add(webhookNo: number, until: number): void {
    const hold = this.#of(webhookNo);
    hold.until = Math.max(hold.until, until);
  }

  /** Left alone for 5 s, and for twice as long each time that follows soon, up to a minute. */
  pause(webhookNo: number, now: number): void {
    const hold = this.#of(webhookNo);
    if (hold.pausedUntil > now) return;
    hold.pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, hold.pauseMs * 2));
    hold.pausedUntil = now + hold.pauseMs;
  }

  /** It answers well, so its deliveries leave memory fast. False: it was not paused recently. */
  endPause(webhookNo: number): boolean {
    const hold = this.#holds.size === 0 ? undefined : this.#holds.get(webhookNo);
    if (hold === undefined || hold.pauseMs === 0) return false;
    hold.pausedUntil = 0;
    hold.pauseMs = 0;
    return true;
  }

  /** There is memory again: ends the pause that would end first. False: there is none. */
  endFirstPause(now: number): boolean {
    let first: Hold | null = null;
    for (const hold of this.#holds.values()) {
      if (hold.pausedUntil > now && (first === null || hold.pausedUntil < first.pausedUntil))
        first = hold;
    }
    if (first === null) return false;
    // How long it was is kept: if it takes too much again, it is left alone for longer.
    first.pausedUntil = now;
    return true;
  }

  until(webhookNo: number): number {
    if (this.#holds.size === 0) return 0;
    const hold = this.#holds.get(webhookNo);
    return hold === undefined ? 0 : Math.max(hold.until, hold.pausedUntil);
  }

  /** Its owner changed something: what was asked may be of another receiver, or not wanted any more. */
  end(webhookNos: readonly number[]): void {
    for (const no of webhookNos) this.#holds.delete(no);
  }

  /** Webhooks on hold. Holds that are over are forgotten; a pause is remembered for twice its length, so that it can grow. */
  at(now: number): number[] {
    const held: number[] = [];
    for (const [no, { until, pausedUntil, pauseMs }] of this.#holds) {
      if (until > now || pausedUntil > now) held.push(no);
      else if (pausedUntil + pauseMs * 2 <= now) this.#holds.delete(no);
    }
    return held;
  }

  #of(webhookNo: number): Hold {
    let hold = this.#holds.get(webhookNo);
    if (hold === undefined) {
      hold = { until: 0, pausedUntil: 0, pauseMs: 0 };
      this.#holds.set(webhookNo, hold);
    }
    return hold;
  }
}
