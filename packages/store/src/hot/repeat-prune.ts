/** How many rows of each table one call reads if all of them must stay. */
const MOST_ROWS = 100_000;
/** Notices are few and may be read rarely, so they are kept at least this long. */
const LEAST_NOTICES_MS = 30 * 24 * 3_600_000;

export function noticesKeptMs(retentionMs: number): number {
  return Math.max(retentionMs, LEAST_NOTICES_MS);
}

/**
 * Positions of the walks through `ended`, `events` and `notices`. They start over at the end, or at rows that are too
 * young.
 */
export interface PruneCursor {
  ended: number;
  events: number;
  notices: number;
}

export interface PruneStep {
  pruned: number;
  /** True if some old rows were not looked at: a walk has not reached its end, or did not begin at the start. */
  more: boolean;
}

export function isUnderWay({ ended, events, notices }: PruneCursor): boolean {
  return ended > 0 || events > 0 || notices > 0;
}

/**
 * Runs steps, each a transaction, until one has deleted rows or the walk is at its end. Callers repeat it as long as
 * rows were deleted, so old rows that must stay (events held for a paused webhook) must not look like the end.
 */
export async function repeatPrune(
  /** Rows of each table that one step may read. */
  limit: number,
  step: (limit: number) => Promise<PruneStep>,
): Promise<number> {
  for (let read = 0; read < MOST_ROWS; read += limit) {
    const { pruned, more } = await step(limit);
    if (pruned > 0 || !more) return pruned;
  }
  return 0;
}
