import { MarkethookError } from "@markethook/protocol";

/** Keys that are remembered; more than any marketplace has in use within a second. */
const KEYS = 10_000;

interface Bucket {
  left: number;
  at: number;
}

/**
 * Bounds the requests of each key: a bucket that holds one second's worth and fills by itself. 0 per second: no bound.
 * @throws `key_rate_exceeded` from what it returns
 */
export function createKeyRate(perSecond: number, elapsedMs: () => number): (keyId: string) => void {
  const buckets = new Map<string, Bucket>();
  if (perSecond === 0) return () => {};
  return (keyId) => {
    const now = elapsedMs();
    let bucket = buckets.get(keyId);
    if (bucket === undefined) {
      if (buckets.size >= KEYS) buckets.clear();
      bucket = { left: perSecond, at: now };
      buckets.set(keyId, bucket);
    }
    bucket.left = Math.min(perSecond, bucket.left + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    if (bucket.left < 1) throw new MarkethookError("key_rate_exceeded", { retryAfterSeconds: 1 });
    bucket.left -= 1;
  };
}
