import type { AcceptOutcome, Offer } from "@markethook/store";
import type { ClaimLoop } from "./claim-loop.ts";
import type { FairQueue } from "./fair-queue.ts";
import type { Leases } from "./leases.ts";
import type { Room } from "./room.ts";
import type { Reading, WebhookCache } from "./webhook-cache.ts";

/** Where the sending side takes over new deliveries, leased in the commit that stores them. */
export interface Desk {
  /** Resolves when what it took before has left but for a commit's worth. */
  caughtUp(): Promise<void>;
  /** Null: nothing (no instance, or stopping). Room is reserved until `take` is called with what came of it. */
  offer(): Offer | null;
  /** Null: the commit failed, or its answer was lost; some of it may be stored and leased all the same. */
  take(offer: Offer | null, outcome: AcceptOutcome | null): void;
}

export function createDesk(options: {
  leases: Pick<Leases, "take" | "took">;
  queue: Pick<FairQueue, "fullForFresh" | "caughtUp">;
  room: Room;
  claims: Pick<ClaimLoop, "blocked" | "wake">;
  cache: Pick<WebhookCache, "begin" | "end" | "fresh">;
  /** Deliveries of one webhook that may wait in memory. */
  share: number;
}): Desk {
  const { leases, queue, room, claims, cache, share } = options;
  const readings = new Map<Offer, Reading>();
  return {
    caughtUp: () => queue.caughtUp(),
    offer() {
      const instanceNo = leases.take();
      if (instanceNo === null) return null;
      // Half of what is free, so that two commits under way cannot overfill the queue.
      const bytes = Math.floor(Math.max(0, room.free()) / 2);
      room.reserve(bytes);
      const reading = cache.begin();
      const offer = { instanceNo, bytes, share, full: queue.fullForFresh, read: cache.fresh() };
      readings.set(offer, reading);
      return offer;
    },
    take(offer, outcome) {
      if (offer !== null) {
        const reading = readings.get(offer);
        readings.delete(offer);
        if (reading !== undefined) cache.end(reading, outcome?.webhooks ?? []);
        room.reserve(-offer.bytes);
        leases.took(offer.instanceNo, outcome?.births ?? null, true);
      }
      if (outcome === null) return;
      claims.blocked(outcome.blocked);
      if (outcome.claimable > 0) claims.wake();
    },
  };
}
