const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** A second seed, so that the two halves of the hash differ. */
const OTHER_OFFSET = 0x9747b28c;
const TWO_32 = 2 ** 32;

/**
 * The number that calls about the same buyer and resource, or about updates of the same resource, lock to agree on one
 * order. It is a hash of both, as a safe integer. Two pairs with the same hash only wait for each other.
 */
export function orderLock(resourceId: string, orderKey: number): number {
  let high = FNV_OFFSET;
  let low = OTHER_OFFSET;
  const mix = (word: number): void => {
    high = Math.imul(high ^ word, FNV_PRIME);
    low = Math.imul(low ^ word, FNV_PRIME);
    // The lowest bits alone would be those of a sum.
    low ^= low >>> 15;
  };
  for (let index = 0; index < resourceId.length; index += 1) mix(resourceId.charCodeAt(index));
  mix(orderKey | 0);
  mix(Math.floor(orderKey / TWO_32));
  mix(high >>> 16);
  return (high >>> 11) * TWO_32 + (low >>> 0);
}

/** Each takes room in PostgreSQL's table of locks, and a report brings up to a thousand resources. */
const OWNER_LOCKS = 8;

/** A call that takes each of these once has waited for all reports that ran when it began. */
export const EVERY_OWNER_LOCK: readonly number[] = Array.from(
  { length: OWNER_LOCKS },
  (_, index) => index - OWNER_LOCKS,
);

/**
 * The number that calls lock alone when they end an owner's time, and reports share while they read the owner and take
 * numbers. Others with the same number only wait for each other. It is never an `orderLock`.
 */
export function ownerLock(resourceId: string): number {
  return -1 - (orderLock(resourceId, 0) % OWNER_LOCKS);
}

/** Each once, ascending. Locks in another order would deadlock. */
export function lockingOrder(locks: readonly number[]): number[] {
  const sorted = Float64Array.from(locks).sort();
  const each: number[] = [];
  for (const lock of sorted) if (lock !== each.at(-1)) each.push(lock);
  return each;
}
