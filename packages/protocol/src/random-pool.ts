import type { RandomBytes } from "./nonce.ts";

const POOL_BYTES = 8192;

/**
 * Serves small requests from one large draw: a system call per nonce would cost more than the nonce.
 * The views handed out are never reused.
 */
export function createRandomPool(source: RandomBytes): RandomBytes {
  let pool = new Uint8Array(0);
  let used = 0;
  return (size) => {
    if (size > POOL_BYTES) return source(size);
    if (used + size > pool.length) {
      pool = Uint8Array.from(source(POOL_BYTES));
      used = 0;
    }
    const view = pool.subarray(used, used + size);
    used += size;
    return view;
  };
}
