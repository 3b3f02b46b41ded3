import { hash } from "node:crypto";

const DIGITS = 32;

/**
 * The first 16 bytes of a text's SHA-256, as hexadecimal digits. Two texts that share them would have to be searched for
 * among 2^64: that a marketplace does this to its own keys takes nothing from anyone else.
 */
export function shortHash(text: string): string {
  return hash("sha256", text, "hex").slice(0, DIGITS);
}
