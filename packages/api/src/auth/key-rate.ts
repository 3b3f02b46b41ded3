import { MarkethookError } from "@markethook/protocol";

/** Number of stored keys: more than any marketplace uses within a second. */
const KEYS = 10_000;

interface Bucket {
  left: number;
  at: number;
}

/** Limits the requests of each key: a bucket that holds one second's worth and refills. 0 per second: no limit. */
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
