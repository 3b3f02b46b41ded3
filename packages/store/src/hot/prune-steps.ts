/** How far one call walks over rows that must stay. */
const MOST_STEPS = 50;

/** Where the walks through `ended` and `events` stand; they start over at the end, or where rows become too young. */
export interface PruneCursor {
  ended: number;
  events: number;
}

export interface PruneStep {
  pruned: number;
  /** Not everything that is old has been looked at: a walk has not come to its end, or did not begin at the start. */
  more: boolean;
}

export function isUnderWay({ ended, events }: PruneCursor): boolean {
  return ended > 0 || events > 0;
}

/**
 * Steps, a transaction each, until one has deleted something or the walk is at its end: callers go on for as long as
 * something was deleted, and old rows that must stay (events held for a paused webhook) must not look like the end.
 */
export async function pruneSteps(step: () => Promise<PruneStep>): Promise<number> {
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const { pruned, more } = await step();
    if (pruned > 0 || !more) return pruned;
  }
  return 0;
}
