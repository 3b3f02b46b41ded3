import type { Machine } from "./machine.ts";

/** What is to happen, and where. */
interface Happening {
  at: number;
  /** Of two at the same time the one that was planned first. */
  order: number;
  /** Null: in the world outside. */
  where: Machine | null;
  /** A timer is due by its machine's monotonic clock. */
  dueAt: number | null;
  run: (() => void) | null;
}

/** Real ones: the simulated take their places while it runs. */
const realImmediate = globalThis.setImmediate;
/** So many happen in one turn of the real event loop. */
const TOGETHER = 256;
/** Clocks that go faster or slower lose the last bits. */
const ROUNDING_MS = 1e-6;
/** More at one time is a circle that never ends. */
const MOST_AT_ONCE = 1_000_000;
/** As Node has it. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Simulated time: what is planned happens in the order of its times, each with all the promises that it settles, before
 * the next begins. Anyone who runs now owns what it plans.
 */
export class Timeline {
  now = 0;
  /** Whose code runs now. */
  where: Machine | null = null;
  happened = 0;
  readonly #heap: Happening[] = [];
  readonly #putOff = new Map<Machine, Happening[]>();
  #order = 0;
  /** At this very time. */
  #atOnce = 0;

  at(at: number, where: Machine | null, run: () => void): void {
    this.#push({ at: Math.max(at, this.now), order: this.#next(), where, dueAt: null, run });
  }

  after(ms: number, where: Machine | null, run: () => void): void {
    this.at(this.now + ms, where, run);
  }

  /** As a timer of the machine whose code runs now; outside of machines, of the world's. */
  timer(ms: number, run: () => void): SimulatedTimer {
    const { where } = this;
    const wait = ms >= 1 && ms <= LONGEST_TIMER_MS ? Math.trunc(ms) : 1;
    const dueAt = where === null ? null : where.monotonic(this.now) + wait;
    const at = where === null || dueAt === null ? this.now + wait : where.timeOf(dueAt);
    const happening: Happening = { at, order: this.#next(), where, dueAt, run };
    this.#push(happening);
    return new SimulatedTimer(happening);
  }

  /** What was put off happens now. */
  goOn(machine: Machine): void {
    machine.goOn(this.now);
    const putOff = this.#putOff.get(machine) ?? [];
    this.#putOff.delete(machine);
    for (const one of putOff) this.#push({ ...one, at: this.now, order: this.#next() });
  }

  kill(machine: Machine): void {
    machine.state = "dead";
    this.#putOff.delete(machine);
  }

  /** Until this time, or until `ended` says so, or nothing is planned any more. */
  run(until: number, done: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      let over = false;
      const step = (last: boolean): void => {
        if (over) return;
        try {
          const next = this.#heap[0];
          if (next === undefined || next.at > until || done()) {
            over = true;
            if (next !== undefined && next.at > until) this.now = until;
            resolve();
            return;
          }
          this.#happen();
        } catch (error) {
          over = true;
          reject(error instanceof Error ? error : new Error(String(error)));
          return;
        }
        if (last) plan();
      };
      // Between two of them all microtasks run.
      const plan = (): void => {
        for (let i = 1; i < TOGETHER; i += 1) realImmediate(step, false);
        realImmediate(step, true);
      };
      plan();
    });
  }

  #happen(): void {
    const next = this.#pop();
    if (next.at > this.now) {
      this.now = next.at;
      this.#atOnce = 0;
    } else {
      this.#atOnce += 1;
      if (this.#atOnce > MOST_AT_ONCE) throw new Error(`time stands still at ${this.now}`);
    }
    const { where, dueAt, run } = next;
    if (run === null || where?.state === "dead") return;
    if (where !== null && where.state !== "running") {
      const list = this.#putOff.get(where);
      if (list === undefined) this.#putOff.set(where, [next]);
      else list.push(next);
      return;
    }
    if (where !== null && dueAt !== null && where.monotonic(this.now) + ROUNDING_MS < dueAt) {
      // The machine slept since it was set.
      this.#push({ ...next, at: where.timeOf(dueAt) });
      return;
    }
    this.happened += 1;
    this.where = where;
    run();
  }

  #next(): number {
    this.#order += 1;
    return this.#order;
  }

  #push(one: Happening): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(one);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || isBefore(above, one)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = one;
  }

  #pop(): Happening {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined) throw new Error("nothing is planned");
    if (heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      let below = heap[child];
      if (below === undefined) break;
      const other = heap[child + 1];
      if (other !== undefined && isBefore(other, below)) {
        child += 1;
        below = other;
      }
      if (isBefore(last, below)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(one: Happening, other: Happening): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** As much of a Node timer as is used. */
export class SimulatedTimer {
  #happening: Happening;

  constructor(happening: Happening) {
    this.#happening = happening;
  }

  /** What is put off because its machine is halted is a copy: so it looks here before it runs. */
  cancelled = false;

  cancel(): void {
    this.cancelled = true;
    this.#happening.run = null;
  }

  unref(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}
