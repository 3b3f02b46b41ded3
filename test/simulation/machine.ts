/** What a process does not notice of its clocks, and what it last compared. */
const UNNOTICED_MS = 2000;
const BETWEEN_BEATS_MS = 3000;

/**
 * A process and the clocks of the machine that it runs on. All that happens belongs to one, and what it starts inherits
 * it.
 *
 * running --stopped (SIGSTOP)--> stopped: its clocks go on, nothing of it happens --> running
 * running --the machine sleeps--> asleep: the monotonic clock stands still, maybe the wall clock too --> running
 * running | stopped | asleep --killed--> dead: nothing of it happens any more
 */
export class Machine {
  readonly name: string;
  /** How fast its clocks go. */
  readonly rate: number;
  state: "running" | "stopped" | "asleep" | "dead" = "running";
  /** When it last slept and cannot know: both clocks stood still, or one was set so that they agree. */
  wokenUnawareAt = -Infinity;
  #asleepSince = 0;
  #bothStand = false;
  #monotonicStood = 0;
  #wallStood = 0;
  #wallStep = 0;
  readonly #steps: { at: number; byMs: number }[] = [];

  constructor(name: string, rate: number) {
    this.name = name;
    this.rate = rate;
  }

  /** Milliseconds since it was switched on. */
  monotonic(at: number): number {
    const until = this.state === "asleep" ? this.#asleepSince : at;
    return (until - this.#monotonicStood) * this.rate;
  }

  /** Unix milliseconds, if `epoch` is when simulated time began. */
  wall(at: number, epoch: number): number {
    const until = this.state === "asleep" && this.#bothStand ? this.#asleepSince : at;
    return Math.floor(epoch + (until - this.#wallStood) * this.rate + this.#wallStep);
  }

  /** When its monotonic clock will say this, if it does not sleep before. */
  timeOf(monotonic: number): number {
    return monotonic / this.rate + this.#monotonicStood;
  }

  fallAsleep(at: number, bothStand: boolean): void {
    this.state = "asleep";
    this.#asleepSince = at;
    this.#bothStand = bothStand;
  }

  goOn(at: number): void {
    if (this.state === "asleep") {
      const slept = at - this.#asleepSince;
      this.#monotonicStood += slept;
      if (this.#bothStand) {
        this.#wallStood += slept;
        this.wokenUnawareAt = at;
      } else if (slept > UNNOTICED_MS) {
        const apart = slept + this.#steppedSince(this.#asleepSince);
        if (Math.abs(apart) <= UNNOTICED_MS) this.wokenUnawareAt = at;
      }
    }
    this.state = "running";
  }

  setWallClock(at: number, byMs: number): void {
    this.#wallStep += byMs;
    this.#steps.push({ at, byMs });
  }

  #steppedSince(at: number): number {
    return this.#steps
      .filter((step) => step.at > at - BETWEEN_BEATS_MS)
      .reduce((sum, { byMs }) => sum + byMs, 0);
  }
}
