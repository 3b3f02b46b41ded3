/**
 * A generation of idempotency keys is as old as its retention divided by this when the next one begins. More of them
 * keep what is inserted closer together, and each is looked up for each key.
 */
const PER_RETENTION = 6;

/** How long a generation of keys is inserted into, at least. */
export function generationSpan(idempotencyMs: number): number {
  return Math.ceil(idempotencyMs / PER_RETENTION);
}
