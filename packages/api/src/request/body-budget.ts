import { MarkethookError } from "@markethook/protocol";

/**
 * Divisor of the budget for owners' sessions and for requests without a key; keys of the marketplace may use all of it.
 */
const OWNERS_SHARE = 4;
/** Bytes for the sessions of one owner. The largest body of a session uses a third of it. */
const OWNER_BYTES = 1024 * 1024;
/** Part of the budget for one key. */
const KEY_SHARE = 3 / 4;

export interface BodySender {
  /** A marketplace's API key. */
  isKey: boolean;
  /** Id of the key, or of the session's owner; null: unknown. */
  id: string | null;
}

export type BodyBudget = ReturnType<typeof createBodyBudget>;

/**
 * Counts the memory of arriving bodies over all connections. Any number of slow senders cannot use more than this, and
 * neither owners nor one key can take all of it from the others.
 */
export function createBodyBudget(mostBytes: number) {
  let total = 0;
  let ofOwners = 0;
  const bySender = new Map<string, number>();

  return {
    /** Reserves bytes. @throws `overloaded`, and reserves nothing, above the limit */
    take({ isKey, id }: BodySender, bytes: number): void {
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
    give({ isKey, id }: BodySender, bytes: number): void {
      total -= bytes;
      if (!isKey) ofOwners -= bytes;
      if (id === null) return;
      const left = (bySender.get(id) ?? 0) - bytes;
      if (left > 0) bySender.set(id, left);
      else bySender.delete(id);
    },
  };
}
