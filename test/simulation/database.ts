import type { Choices } from "./choices.ts";
import type { Timeline } from "./timeline.ts";

/** What is wrong with the database, or the way to it, at a moment. */
export interface Trouble {
  slow: number;
  stalledUntil: number;
  refused: number;
  lost: number;
  lateMs: number;
}

const LEAST_MS = 0.15;
const REFUSED_AFTER_MS = 2;
const OFTEN = 0.5;

/**
 * The one database of all instances, some time away from each: a call arrives, happens at one moment, and its answer
 * comes back. It may wait, be refused before anything happened, or have its answer lost after it did.
 */
export class Database {
  readonly #timeline: Timeline;
  readonly #random: Choices;
  readonly #trouble: Trouble = { slow: 1, stalledUntil: 0, refused: 0, lost: 0, lateMs: 0 };
  readonly trace: (line: string) => void;
  /** How far its clock is off, and how far it was set ahead in all. */
  clockByMs = 0;
  clockAheadMs = 0;

  constructor(timeline: Timeline, random: Choices, trace: (line: string) => void) {
    this.#timeline = timeline;
    this.#random = random;
    this.trace = trace;
  }

  get trouble(): Trouble {
    return this.#trouble;
  }

  setClock(byMs: number): void {
    this.clockByMs += byMs;
    this.clockAheadMs += Math.max(0, byMs);
  }

  /** The heart's connection has a time limit of its own, so its calls fail rather than wait. */
  call<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    const timeline = this.#timeline;
    const { where } = timeline;
    const random = this.#random;
    const toMs = this.#way();
    const { refused, lost, lateMs } = this.#trouble;
    const isRefused = refused > 0 && random.chance(refused);
    const isLost = !isRefused && lost > 0 && random.chance(lost);
    const backMs = isLost ? Math.max(REFUSED_AFTER_MS, lateMs) : this.#way();
    // A call of a process that dies meanwhile may have left it or not.
    const outlives = random.chance(OFTEN);
    return new Promise<T>((resolve, reject) => {
      const answer = (ms: number, run: () => void): void => timeline.after(ms, where, run);
      const arrive = (): void => {
        if (where?.state === "dead" && !outlives) return;
        if (this.#trouble.stalledUntil > timeline.now) {
          timeline.at(this.#trouble.stalledUntil, null, arrive);
          return;
        }
        if (isRefused) {
          this.trace(`refused ${where?.name} ${name}`);
          answer(REFUSED_AFTER_MS, () => reject(new Error(`${name}: the connection was refused`)));
          return;
        }
        Promise.resolve()
          .then(work)
          .then(
            (value) => {
              if (!isLost) {
                answer(backMs, () => resolve(value));
                return;
              }
              this.trace(`lost ${where?.name} ${name}`);
              answer(backMs, () => reject(new Error(`${name}: the connection ended`)));
            },
            (error: unknown) =>
              answer(backMs, () =>
                reject(error instanceof Error ? error : new Error(String(error))),
              ),
          );
      };
      timeline.after(toMs, null, arrive);
    });
  }

  #way(): number {
    const ms = LEAST_MS + this.#random.between(0, 1) * this.#random.between(0, 1);
    return ms * this.#trouble.slow;
  }
}
