import { hash } from "node:crypto";
import type { RandomBytes } from "@markethook/protocol";

/**
 * An API key: `mh_`, 40 random letters and digits (about 238 bits), 6 more that are a checksum of the rest, so
 * that a mistyped or cut key is refused without a look-up, and a leaked one is easily recognised by scanners.
 */
const PREFIX = "mh_";
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Of every key. */
export const API_KEY_LENGTH = PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
const PATTERN = /^mh_[0-9A-Za-z]{46}$/;
/** Bytes at or above this would favour the first letters of the alphabet; they are thrown away. */
const FAIR_BELOW = 256 - (256 % ALPHABET.length);

export function makeApiKey(randomBytes: RandomBytes): string {
  let text = "";
  while (text.length < RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH)) {
      if (byte < FAIR_BELOW && text.length < RANDOM_LENGTH)
        text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return PREFIX + text + checksum(text);
}

/** True for a text that has the form of a key and the right checksum. */
export function isApiKeyForm(text: string): boolean {
  if (!PATTERN.test(text)) return false;
  const random = text.slice(PREFIX.length, -CHECKSUM_LENGTH);
  return text.endsWith(checksum(random));
}

/** What is stored of a key: SHA-256, hex. The key itself is random enough to need no slow hash. */
export function hashApiKey(key: string): string {
  return hash("sha256", key, "hex");
}

function checksum(text: string): string {
  let rest = hash("sha256", PREFIX + text, "buffer").readUIntBE(0, 6);
  let digits = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits += ALPHABET[rest % ALPHABET.length];
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
