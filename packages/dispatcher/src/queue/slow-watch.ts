import type { OpenRequest } from "../gates/gate.ts";

const WATCH_MS = 250;

/**
 * Finds requests that have been open for long, before they end, and calls `foundSlow` for each that does not count as
 * slow yet. Runs only while requests are open. Time in which this process did not run (it was stopped, or too busy)
 * makes no receiver slow: all that were asked before would seem so.
 */
export function createSlowWatch(
  open: ReadonlySet<OpenRequest>,
  clock: () => number,
  afterMs: number,
  foundSlow: (request: OpenRequest) => void,
) {
  let timer: NodeJS.Timeout | null = null;
  /** When this process was last known to run, and for how long it did not while requests were open. */
  let ranAt = 0;
  let stoodMs = 0;

  /** The time without that in which this process did not run. */
  function now(): number {
    const at = clock();
    const passed = at - ranAt;
    if (timer !== null && passed > 2 * WATCH_MS) stoodMs += passed - WATCH_MS;
    ranAt = at;
    return at - stoodMs;
  }

  function look(): void {
    const before = now() - afterMs;
    for (const request of open) {
      // Requests are in the order of their start, so the first young one ends the walk.
      if (request.startedAt > before) break;
      if (!request.slow) foundSlow(request);
    }
    if (open.size === 0) close();
  }

  function close(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
  }

  return {
    now,
    start(): void {
      timer ??= setInterval(look, WATCH_MS).unref();
    },
    close,
  };
}
