import { MarkethookError } from "@markethook/protocol";

/** Of the whole, for owners' sessions and for requests without a key; the marketplace's keys have it all. */
const OWNERS_SHARE = 4;
/** For the sessions of one owner. The largest body that a session can send has a third of it. */
const OWNER_BYTES = 1024 * 1024;

/** Whose memory it is. */
export interface BodySender {
  /** Of a marketplace's API key. */
  isKey: boolean;
  /** Of a session. */
  ownerId: string | null;
}

export interface BodyBudget {
  /** @throws `overloaded`, and takes nothing, where it would be more than there may be */
  take(sender: BodySender, bytes: number): void;
  give(sender: BodySender, bytes: number): void;
}

/**
 * Counts the memory of bodies that are arriving, over all connections. However many connections send slowly, they hold
 * no more than this, and owners cannot take it all from the marketplace or from each other.
 */
export function createBodyBudget(mostBytes: number): BodyBudget {
  let total = 0;
  let ofOwners = 0;
  const byOwner = new Map<string, number>();

  return {
    take({ isKey, ownerId }, bytes) {
      const owned = ownerId === null ? 0 : (byOwner.get(ownerId) ?? 0) + bytes;
      if (
        total + bytes > mostBytes ||
        (!isKey && ofOwners + bytes > mostBytes / OWNERS_SHARE) ||
        owned > OWNER_BYTES
      ) {
        throw new MarkethookError("overloaded", {
          detail: "Bodies that are arriving fill the memory that they may have.",
        });
      }
      total += bytes;
      if (!isKey) ofOwners += bytes;
      if (ownerId !== null) byOwner.set(ownerId, owned);
    },
    give({ isKey, ownerId }, bytes) {
      total -= bytes;
      if (!isKey) ofOwners -= bytes;
      if (ownerId === null) return;
      const left = (byOwner.get(ownerId) ?? 0) - bytes;
      if (left > 0) byOwner.set(ownerId, left);
      else byOwner.delete(ownerId);
    },
  };
}
