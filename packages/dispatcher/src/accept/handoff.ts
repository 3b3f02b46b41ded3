import type { AcceptOutcome, LeaseBudget } from "@markethook/store";
import type { ClaimLoop } from "../lease/claim-loop.ts";
import type { FairQueue } from "../queue/fair-queue.ts";
import type { Leases } from "../lease/leases-and-lost-answers.ts";
import type { MemoryBudget } from "../queue/memory-ledger.ts";
import type { Reading, WebhookCache } from "../queue/webhook-cache.ts";

export type Handoff = ReturnType<typeof createHandoff>;

/** Takes over new deliveries that the accepting commit has leased to this instance. */
export function createHandoff(options: {
  leases: Pick<Leases, "take" | "took">;
  queue: Pick<FairQueue, "fullForFresh" | "caughtUp">;
  room: MemoryBudget;
  claims: Pick<ClaimLoop, "blocked" | "wake">;
  cache: Pick<WebhookCache, "begin" | "end" | "fresh">;
  /** How many deliveries of one webhook may wait in memory. */
  share: number;
}) {
  const { leases, queue, room, claims, cache, share } = options;
  const readings = new Map<LeaseBudget, Reading>();
  return {
    /** Resolves when earlier deliveries have been sent, except for about a commit's worth. */
    caughtUp: () => queue.caughtUp(),
    /**
     * Returns the lease budget of the next commit. Null: none may be leased (no instance, or stopping). The room is
     * reserved until `take` is called with the outcome.
     */
    budget(): LeaseBudget | null {
      const instanceNo = leases.take();
      if (instanceNo === null) return null;
      // Half of the free room, so that two commits under way cannot overfill the queue.
      const bytes = Math.floor(Math.max(0, room.free()) / 2);
      room.reserve(bytes);
      const reading = cache.begin();
      const budget = { instanceNo, bytes, share, full: queue.fullForFresh, read: cache.fresh() };
      readings.set(budget, reading);
      return budget;
    },
    /** Null: the commit failed, or its answer was lost. Some of it may be stored and leased anyway. */
    take(budget: LeaseBudget | null, outcome: AcceptOutcome | null): void {
      if (budget !== null) {
        const reading = readings.get(budget);
        readings.delete(budget);
        if (reading !== undefined) cache.end(reading, outcome?.webhooks ?? []);
        room.reserve(-budget.bytes);
        leases.took(budget.instanceNo, outcome?.preLeased ?? null, { fresh: true });
      }
      if (outcome === null) return;
      claims.blocked(outcome.blocked);
      if (outcome.claimable > 0) claims.wake();
    },
  };
}
