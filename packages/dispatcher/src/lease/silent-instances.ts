import type { InstanceBeat } from "@markethook/store";

/**
 * Finds the instances whose heartbeats have stopped, by this process's own clock: the database's may be set, and a server
 * that takes over may lack heartbeats that were confirmed. An instance is silent when the same heartbeat has been its last
 * one for a whole lease, in which this process looked all the time.
 */
export class SilentInstances {
  readonly #leaseMs: number;
  readonly #now: () => number;
  /** `since`: when this heartbeat was first seen, monotonic ms. */
  #seen = new Map<number, { renewedAt: number; since: number }>();
  #lookedAt = -Infinity;

  constructor(leaseMs: number, now: () => number) {
    this.#leaseMs = leaseMs;
    this.#now = now;
  }

  /** Call often in each lease. @throws what `list` throws; then nothing counts that was seen before. */
  async look(list: () => Promise<readonly InstanceBeat[]>): Promise<InstanceBeat[]> {
    const askedAt = this.#now();
    const before = this.#seen;
    this.#seen = new Map();
    const listed = await list();
    const answeredAt = this.#now();
    // Anyone who was stopped, or could not ask, has missed heartbeats.
    const missed = answeredAt - this.#lookedAt > this.#leaseMs / 2;
    this.#lookedAt = answeredAt;
    const silent: InstanceBeat[] = [];
    for (const { instanceNo, renewedAt } of listed) {
      const known = missed ? undefined : before.get(instanceNo);
      const since = known?.renewedAt === renewedAt ? known.since : answeredAt;
      this.#seen.set(instanceNo, { renewedAt, since });
      if (askedAt - since >= this.#leaseMs) silent.push({ instanceNo, renewedAt });
    }
    return silent;
  }
}
