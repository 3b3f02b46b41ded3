const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;

interface DryRun {
  /** What its receiver asked for. */
  until: number;
  /** For the memory that it would take. */
  pausedUntil: number;
  /** How long the last pause was; 0: none. */
  pauseMs: number;
}

/** Webhooks that are left alone for a while: their receivers asked for it, or they would hold too much memory. */
export class CoolDowns {
  readonly #coolDowns = new Map<number, DryRun>();

  /** The later one counts. */
  add(webhookNo: number, until: number): void {
    const coolDown = this.#of(webhookNo);
    coolDown.until = Math.max(coolDown.until, until);
  }

  /** Left alone for 5 s, and for twice as long each time that follows soon, up to a minute. */
  pause(webhookNo: number, now: number): void {
    const coolDown = this.#of(webhookNo);
    if (coolDown.pausedUntil > now) return;
    coolDown.pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, coolDown.pauseMs * 2));
    coolDown.pausedUntil = now + coolDown.pauseMs;
  }

  /** It answers well, so its deliveries leave memory fast. False: it was not paused recently. */
  endPause(webhookNo: number): boolean {
    const coolDown = this.#coolDowns.size === 0 ? undefined : this.#coolDowns.get(webhookNo);
    if (coolDown === undefined || coolDown.pauseMs === 0) return false;
    coolDown.pausedUntil = 0;
    coolDown.pauseMs = 0;
    return true;
  }

  /** There is memory again: ends the pause that would end first. False: there is none. */
  endFirstPause(now: number): boolean {
    let first: DryRun | null = null;
    for (const coolDown of this.#coolDowns.values()) {
      if (
        coolDown.pausedUntil > now &&
        (first === null || coolDown.pausedUntil < first.pausedUntil)
      )
        first = coolDown;
    }
    if (first === null) return false;
    // How long it was is kept: if it takes too much again, it is left alone for longer.
    first.pausedUntil = now;
    return true;
  }

  until(webhookNo: number): number {
    if (this.#coolDowns.size === 0) return 0;
    const coolDown = this.#coolDowns.get(webhookNo);
    return coolDown === undefined ? 0 : Math.max(coolDown.until, coolDown.pausedUntil);
  }

  /** Its owner changed something: what was asked may be of another receiver, or not wanted any more. */
  end(webhookNos: readonly number[]): void {
    for (const no of webhookNos) this.#coolDowns.delete(no);
  }

  /** Webhooks on hold. Holds that are over are forgotten; a pause is remembered for twice its length, so that it can grow. */
  at(now: number): number[] {
    const held: number[] = [];
    for (const [no, { until, pausedUntil, pauseMs }] of this.#coolDowns) {
      if (until > now || pausedUntil > now) held.push(no);
      else if (pausedUntil + pauseMs * 2 <= now) this.#coolDowns.delete(no);
    }
    return held;
  }

  #of(webhookNo: number): DryRun {
    let coolDown = this.#coolDowns.get(webhookNo);
    if (coolDown === undefined) {
      coolDown = { until: 0, pausedUntil: 0, pauseMs: 0 };
      this.#coolDowns.set(webhookNo, coolDown);
    }
    return coolDown;
  }
}
