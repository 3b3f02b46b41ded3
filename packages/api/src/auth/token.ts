import { createHmac, hash } from "node:crypto";
import type { RandomBytes } from "@markethook/protocol";

/**
 * The text after the prefix of a key, session token or code: 40 random letters and digits (about 238 bits) and a
 * checksum of 6 more. So a mistyped or cut one is refused without a look-up, and scanners easily recognise a leaked
 * one.
 */
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PATTERN = /^[0-9A-Za-z]{46}$/;
/** Bytes at or above this would favour the first letters of the alphabet, so they are dropped. */
const FAIR_BELOW = 256 - (256 % ALPHABET.length);

/** Length without the prefix. */
const TOKEN_LENGTH = RANDOM_LENGTH + CHECKSUM_LENGTH;

function makeToken(prefix: string, randomBytes: RandomBytes): string {
  let text = "";
  while (text.length < RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH)) {
      if (byte < FAIR_BELOW && text.length < RANDOM_LENGTH)
        text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return prefix + text + checksum(prefix + text);
}

/** True for a text that has the form of a token with this prefix, and the right checksum. */
function isTokenForm(prefix: string, text: string): boolean {
  if (!text.startsWith(prefix) || !PATTERN.test(text.slice(prefix.length))) return false;
  return text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)));
}

/** Returns the stored hash of a token: SHA-256, hex. The token is random enough to need no slow hash. */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

function checksum(text: string): string {
  let rest = hash("sha256", text, "buffer").readUIntBE(0, 6);
  let digits = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits += ALPHABET[rest % ALPHABET.length];
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

const KEY_PREFIX = "mh_";
/** Length of every key. */
export const API_KEY_LENGTH = KEY_PREFIX.length + TOKEN_LENGTH;

export function makeApiKey(randomBytes: RandomBytes): string {
  return makeToken(KEY_PREFIX, randomBytes);
}

/** True for a text that has the form of a key and the right checksum. */
export function isApiKeyForm(text: string): boolean {
  return isTokenForm(KEY_PREFIX, text);
}

/** Returns the stored hash of a key. */
export function hashApiKey(key: string): string {
  return hashToken(key);
}

/** A portal session's bearer token, kept by the page in memory only. */
const SESSION_PREFIX = "mhs_";
/** Prefix of the code in a link; it works once, for the token. */
const CODE_PREFIX = "mhc_";

/** Length of every session token. */
export const PORTAL_TOKEN_LENGTH = SESSION_PREFIX.length + TOKEN_LENGTH;

export function makePortalToken(randomBytes: RandomBytes): string {
  return makeToken(SESSION_PREFIX, randomBytes);
}

/** Returns the same token for the same code and nonce. The code alone is not enough to compute it. */
export function derivePortalToken(code: string, nonce: string): string {
  let round = 0;
  return makeToken(SESSION_PREFIX, (size) => {
    round += 1;
    return createHmac("sha512", code).update(`${nonce}:${round}`).digest().subarray(0, size);
  });
}

export function isPortalTokenForm(text: string): boolean {
  return isTokenForm(SESSION_PREFIX, text);
}

export function makePortalCode(randomBytes: RandomBytes): string {
  return makeToken(CODE_PREFIX, randomBytes);
}

export function isPortalCodeForm(text: string): boolean {
  return isTokenForm(CODE_PREFIX, text);
}
