import { hash } from "node:crypto";

const DIGITS = 32;

/**
 * Returns the first 16 bytes of a text's SHA-256, as hexadecimal digits. To find two texts with the same bytes, one has
 * to search among 2^64. A marketplace that does this to its own keys harms no one else.
 */
export function shortHash(text: string): string {
  return hash("sha256", text, "hex").slice(0, DIGITS);
}

/**
 * The next generation begins after the retention divided by this. More generations keep inserted keys closer together,
 * but each key is looked up in all of them.
 */
const PER_RETENTION = 6;

/** Shortest time for which keys are inserted into a generation. */
export function generationSpan(idempotencyMs: number): number {
  return Math.ceil(idempotencyMs / PER_RETENTION);
}
