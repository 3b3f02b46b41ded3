import { MarkethookError } from "@markethook/protocol";
import { type EventStore, isAboutRows } from "@markethook/store";

/** Shorter faults are ignored: callers repeat. */
const LASTING_MS = 3000;
/** Pause after accepts that failed although a trial had worked. */
const DOUBT_MS = 10_000;

export type AcceptHealth = ReturnType<typeof createAcceptHealth>;

/**
 * Tells whether events can be stored, from the view of callers. Without requests nothing new is known, so a trial
 * accept counts as a success. If real events still fail after one, the next trial waits for some seconds.
 *
 * fine --failure--> failing --for 3 s--> trouble --success or trial--> fine
 * fine --no answer for 3 s--> trouble
 */
export function createAcceptHealth(now: () => number) {
  const running = new Set<{ since: number }>();
  let failing: { since: number; code: string } | null = null;
  let workedAt = -Infinity;
  let believed: { since: number } | null = null;
  let tryAt = -Infinity;

  function failed(since: number, error: unknown): void {
    const code = error instanceof MarkethookError ? error.code : "error";
    // A refused report that is repeated says nothing about others, for which the trial stands.
    if (believed !== null && !isAboutRows(error)) tryAt = now() + DOUBT_MS;
    failing = { since: failing?.since ?? believed?.since ?? since, code };
    believed = null;
  }

  return {
    watch:
      (accept: EventStore["accept"]): EventStore["accept"] =>
      async (items, budget) => {
        const one = { since: now() };
        running.add(one);
        try {
          const outcome = await accept(items, budget);
          workedAt = now();
          failing = null;
          believed = null;
          return outcome;
        } catch (error) {
          failed(one.since, error);
          throw error;
        } finally {
          running.delete(one);
        }
      },
    /**
     * Null unless accepts have failed, or waited for their commit, for some seconds. The reason has the code of the last
     * failure. `mayTry`: a trial accept may find out whether it is over.
     */
    trouble(): { reason: string; mayTry: boolean } | null {
      const mayTry = now() >= tryAt;
      const seconds = (ms: number): string => `${Math.floor(ms / 1000)} s`;
      const failingMs = failing === null ? 0 : now() - failing.since;
      if (failing !== null && failingMs >= LASTING_MS) {
        return { reason: `failing for ${seconds(failingMs)} (${failing.code})`, mayTry };
      }
      const oldest = Math.min(...[...running].map(({ since }) => since));
      const waitingMs = now() - Math.max(oldest, workedAt);
      if (running.size === 0 || waitingMs < LASTING_MS) return null;
      return { reason: `waiting for ${seconds(waitingMs)} for the database`, mayTry };
    },
    /** Call when a trial accept has worked. */
    tried(): void {
      workedAt = now();
      if (failing !== null) believed = failing;
      failing = null;
    },
  };
}
