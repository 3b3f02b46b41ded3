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

/** The tokens with a prefix: their length, a new one, and whether a text has the form and the right checksum of one. */
function tokens(prefix: string) {
  return {
    length: prefix.length + RANDOM_LENGTH + CHECKSUM_LENGTH,
    make(randomBytes: RandomBytes): string {
      let text = prefix;
      while (text.length < prefix.length + RANDOM_LENGTH) {
        for (const byte of randomBytes(RANDOM_LENGTH)) {
          if (byte < FAIR_BELOW && text.length < prefix.length + RANDOM_LENGTH)
            text += ALPHABET[byte % ALPHABET.length];
        }
      }
      return text + checksum(text);
    },
    isForm(text: string): boolean {
      if (!text.startsWith(prefix) || !PATTERN.test(text.slice(prefix.length))) return false;
      return text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)));
    },
  };
}

export const { length: API_KEY_LENGTH, make: makeApiKey, isForm: isApiKeyForm } = tokens("mh_");

/** A portal session's bearer token, kept by the page in memory only. */
export const {
  length: PORTAL_TOKEN_LENGTH,
  make: makePortalToken,
  isForm: isPortalTokenForm,
} = tokens("mhs_");

/** The code in a link; it works once, for the token. */
export const { make: makePortalCode, isForm: isPortalCodeForm } = tokens("mhc_");

/** Returns the same token for the same code and nonce. The code alone is not enough to compute it. */
export function derivePortalToken(code: string, nonce: string): string {
  let round = 0;
  return makePortalToken((size) => {
    round += 1;
    return createHmac("sha512", code).update(`${nonce}:${round}`).digest().subarray(0, size);
  });
}

/** Returns the stored hash of a key, token or code: SHA-256, hex. It is random enough to need no slow hash. */
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
