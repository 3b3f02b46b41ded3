const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** So that the second half is not the first one again. */
const OTHER_OFFSET = 0x9747b28c;
const TWO_32 = 2 ** 32;

/**
 * What calls about the same buyer and resource, or about updates of the same resource, lock to agree on one order: a
 * hash of both, as a safe integer. Two that share it wait for each other and nothing else.
 */
export function orderLock(resourceId: string, orderKey: number): number {
  let high = FNV_OFFSET;
  let low = OTHER_OFFSET;
  const mix = (word: number): void => {
    high = Math.imul(high ^ word, FNV_PRIME);
    low = Math.imul(low ^ word, FNV_PRIME);
    // Its lowest bits alone would be those of a sum.
    low ^= low >>> 15;
  };
  for (let index = 0; index < resourceId.length; index += 1) mix(resourceId.charCodeAt(index));
  mix(orderKey | 0);
  mix(Math.floor(orderKey / TWO_32));
  mix(high >>> 16);
  return (high >>> 11) * TWO_32 + (low >>> 0);
}

/** Each once, ascending: anyone who locks several in another order deadlocks with us. */
export function lockingOrder(locks: readonly number[]): number[] {
  const sorted = Float64Array.from(locks).sort();
  const each: number[] = [];
  for (const lock of sorted) if (lock !== each.at(-1)) each.push(lock);
  return each;
}
