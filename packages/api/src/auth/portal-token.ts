import { createHmac } from "node:crypto";
import type { RandomBytes } from "@markethook/protocol";
import { isTokenForm, makeToken, TOKEN_LENGTH } from "./token.ts";

/** A portal session's bearer token, kept by the page in memory only. */
const TOKEN_PREFIX = "mhs_";
/** Prefix of the code in a link; it works once, for the token. */
const CODE_PREFIX = "mhc_";

/** Length of every session token. */
export const PORTAL_TOKEN_LENGTH = TOKEN_PREFIX.length + TOKEN_LENGTH;

export function makePortalToken(randomBytes: RandomBytes): string {
  return makeToken(TOKEN_PREFIX, randomBytes);
}

/** Returns the same token for the same code and nonce. The code alone is not enough to compute it. */
export function derivePortalToken(code: string, nonce: string): string {
  let round = 0;
  return makeToken(TOKEN_PREFIX, (size) => {
    round += 1;
    return createHmac("sha512", code).update(`${nonce}:${round}`).digest().subarray(0, size);
  });
}

export function isPortalTokenForm(text: string): boolean {
  return isTokenForm(TOKEN_PREFIX, text);
}

export function makePortalCode(randomBytes: RandomBytes): string {
  return makeToken(CODE_PREFIX, randomBytes);
}

export function isPortalCodeForm(text: string): boolean {
  return isTokenForm(CODE_PREFIX, text);
}
