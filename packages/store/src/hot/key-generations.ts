/**
 * The next generation begins after the retention divided by this. More generations keep inserted keys closer together,
 * but each key is looked up in all of them.
 */
const PER_RETENTION = 6;

/** Shortest time for which keys are inserted into a generation. */
export function generationSpan(idempotencyMs: number): number {
  return Math.ceil(idempotencyMs / PER_RETENTION);
}
