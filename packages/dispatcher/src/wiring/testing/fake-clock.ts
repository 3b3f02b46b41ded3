import type { TestContext } from "node:test";

export interface FakeClock {
  /** Monotonic and wall milliseconds; both move with `advance`, each alone with its own setter. */
  now: () => number;
  wallNow: () => number;
  setWall(ms: number): void;
  /** Time passes without timers firing, as for a process that is stopped. */
  freeze(ms: number): void;
  /** Time passes in small steps; timers fire and what they started goes as far as it can. */
  advance(ms: number): Promise<void>;
}

const STEP_MS = 10;

/** Timers and clocks that stand still until told to move. */
export function fakeClock(t: TestContext): FakeClock {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  let now = 1000;
  let wall = 1_700_000_000_000;
  return {
    now: () => now,
    wallNow: () => wall,
    setWall(ms) {
      wall = ms;
    },
    freeze(ms) {
      now += ms;
      wall += ms;
    },
    async advance(ms) {
      for (let left = ms; left > 0; left -= STEP_MS) {
        const step = Math.min(left, STEP_MS);
        now += step;
        wall += step;
        t.mock.timers.tick(step);
        await turn();
      }
    },
  };
}

/** Everything that can go on without time passing has gone on. */
export async function turn(): Promise<void> {
  for (let i = 0; i < 3; i += 1) await new Promise((resolve) => setImmediate(resolve));
}
