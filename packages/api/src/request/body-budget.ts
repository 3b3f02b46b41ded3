import { MarkethookError } from "@markethook/protocol";

/** Of the whole, for owners' sessions and for requests without a key; the marketplace's keys have it all. */
const OWNERS_SHARE = 4;
/** For the sessions of one owner. The largest body that a session can send has a third of it. */
const OWNER_BYTES = 1024 * 1024;
/** Of the whole, for one key. */
const KEY_SHARE = 3 / 4;

/** Whose memory it is. */
export interface BodySender {
  /** A marketplace's API key. */
  isKey: boolean;
  /** The key's, or the owner's of a session; null: nobody who is known. */
  id: string | null;
}

export interface BodyBudget {
  /** @throws `overloaded`, and takes nothing, where it would be more than there may be */
  take(sender: BodySender, bytes: number): void;
  give(sender: BodySender, bytes: number): void;
}

/**
 * Counts the memory of bodies that are arriving, over all connections. However many connections send slowly, they hold
 * no more than this, and neither owners nor one key can take it all from the others.
 */
export function createBodyBudget(mostBytes: number): BodyBudget {
  let total = 0;
  let ofOwners = 0;
  const bySender = new Map<string, number>();

  return {
    take({ isKey, id }, bytes) {
      const own = id === null ? 0 : (bySender.get(id) ?? 0) + bytes;
      if (
        total + bytes > mostBytes ||
        (!isKey && ofOwners + bytes > mostBytes / OWNERS_SHARE) ||
        own > (isKey ? mostBytes * KEY_SHARE : OWNER_BYTES)
      ) {
        throw new MarkethookError("overloaded", {
          detail: "Bodies that are arriving fill the memory that they may have.",
        });
      }
      total += bytes;
      if (!isKey) ofOwners += bytes;
      if (id !== null) bySender.set(id, own);
    },
    give({ isKey, id }, bytes) {
      total -= bytes;
      if (!isKey) ofOwners -= bytes;
      if (id === null) return;
      const left = (bySender.get(id) ?? 0) - bytes;
      if (left > 0) bySender.set(id, left);
      else bySender.delete(id);
    },
  };
}
