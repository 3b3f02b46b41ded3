import type { SimulatedTimer, Timeline } from "./timeline.ts";

/**
 * While a simulation runs, timers are the timeline's, and to ask for the real time or for chance is a fault: it would
 * be another one next time. Answers what puts all of it back.
 */
export function simulateGlobals(timeline: Timeline): () => void {
  const real = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    setInterval: globalThis.setInterval,
    clearInterval: globalThis.clearInterval,
    setImmediate: globalThis.setImmediate,
    clearImmediate: globalThis.clearImmediate,
  };
  const { now } = Date;
  const { random } = Math;
  const performanceNow = performance.now.bind(performance);
  const clear = (timer: Pick<SimulatedTimer, "cancel"> | null | undefined): void => timer?.cancel();
  Object.assign(globalThis, {
    setTimeout: (run: (...values: unknown[]) => void, ms = 1, ...values: unknown[]) => {
      const timer = timeline.timer(ms, () => {
        if (!timer.cancelled) run(...values);
      });
      return timer;
    },
    setInterval: (run: (...values: unknown[]) => void, ms = 1, ...values: unknown[]) => {
      let current: SimulatedTimer;
      const again = (): void => {
        current = timeline.timer(ms, () => {
          if (interval.cancelled) return;
          run(...values);
          again();
        });
      };
      again();
      const interval = {
        cancelled: false,
        cancel() {
          interval.cancelled = true;
          current.cancel();
        },
        unref: () => interval,
        ref: () => interval,
      };
      return interval;
    },
    setImmediate: (run: (...values: unknown[]) => void, ...values: unknown[]) => {
      const immediate = { cancelled: false };
      timeline.after(0, timeline.where, () => {
        if (!immediate.cancelled) run(...values);
      });
      return immediate;
    },
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: (immediate: { cancelled: boolean }) => void (immediate.cancelled = true),
  });
  const refuse = (what: string) => (): never => {
    throw new Error(`${what} was asked for in simulated time`);
  };
  Date.now = refuse("Date.now");
  Math.random = refuse("Math.random");
  performance.now = refuse("performance.now");
  return () => {
    Object.assign(globalThis, real);
    Date.now = now;
    Math.random = random;
    performance.now = performanceNow;
  };
}
