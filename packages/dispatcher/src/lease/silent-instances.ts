import type { InstanceBeat } from "@markethook/store";

/**
 * Finds the instances whose heartbeats have stopped, by this process's own clock: the database's may be set, and a server
 * that takes over may lack heartbeats that were confirmed. An instance is silent when the same heartbeat has been its last
 * one for a whole lease, in which this process looked all the time.
 *
 * Call the returned function often in each lease. @throws the errors of `list`; then earlier looks do not count.
 */
export function watchForSilence(leaseMs: number, now: () => number) {
  /** `since`: when this heartbeat was first seen, monotonic ms. */
  let seen = new Map<number, { renewedAt: number; since: number }>();
  let lookedAt = -Infinity;
  return async (list: () => Promise<readonly InstanceBeat[]>): Promise<InstanceBeat[]> => {
    const askedAt = now();
    const before = seen;
    seen = new Map();
    const listed = await list();
    const answeredAt = now();
    // A process that was stopped, or could not ask, has missed heartbeats.
    const missed = answeredAt - lookedAt > leaseMs / 2;
    lookedAt = answeredAt;
    const silent: InstanceBeat[] = [];
    for (const { instanceNo, renewedAt } of listed) {
      const known = missed ? undefined : before.get(instanceNo);
      const since = known?.renewedAt === renewedAt ? known.since : answeredAt;
      seen.set(instanceNo, { renewedAt, since });
      if (askedAt - since >= leaseMs) silent.push({ instanceNo, renewedAt });
    }
    return silent;
  };
}
