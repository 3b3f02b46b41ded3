import { constants } from "node:os";
import { SAME_SIGNAL_MS } from "./stop-on-signals.ts";

/** The process; tests give another one. */
interface Surroundings {
  on(event: string, listener: () => void): unknown;
  exit(code: number): void;
  now(): number;
}

const THIS_PROCESS: Surroundings = {
  on: (event, listener) => process.on(event, listener),
  exit: (code) => process.exit(code),
  now: () => performance.now(),
};

/**
 * For commands that end by themselves soon after Ctrl-C or SIGTERM, and tell what they have done. A second signal, a second
 * or more after the first, ends them at once. Until one takes the interruption, the system ends it at the first signal.
 */
export function createInterruption(surroundings: Surroundings = THIS_PROCESS) {
  const interruption = new AbortController();
  let first: { code: number; at: number } | null = null;
  return {
    take(): AbortSignal {
      for (const name of ["SIGINT", "SIGTERM"] as const) {
        const code = 128 + constants.signals[name];
        surroundings.on(name, () => {
          const at = surroundings.now();
          if (first !== null && at - first.at >= SAME_SIGNAL_MS) surroundings.exit(code);
          first ??= { code, at };
          interruption.abort();
        });
      }
      return interruption.signal;
    },
    /** Null: it was not interrupted. */
    exitCode: (): number | null => first?.code ?? null,
  };
}
