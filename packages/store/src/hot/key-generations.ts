/**
 * A generation of idempotency keys is as old as its retention divided by this when the next one begins. More of them
 * keep inserted keys closer together, but each key is looked for in all of them.
 */
const PER_RETENTION = 6;

/** How long a generation of keys is inserted into, at least. */
export function generationSpan(idempotencyMs: number): number {
  return Math.ceil(idempotencyMs / PER_RETENTION);
}
