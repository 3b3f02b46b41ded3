import type { RandomBytes } from "@markethook/protocol";
import { hashToken, isTokenForm, makeToken, TOKEN_LENGTH } from "./token.ts";

const PREFIX = "mh_";
/** Length of every key. */
export const API_KEY_LENGTH = PREFIX.length + TOKEN_LENGTH;

export function makeApiKey(randomBytes: RandomBytes): string {
  return makeToken(PREFIX, randomBytes);
}

/** True for a text that has the form of a key and the right checksum. */
export function isApiKeyForm(text: string): boolean {
  return isTokenForm(PREFIX, text);
}

/** Returns the stored hash of a key. */
export function hashApiKey(key: string): string {
  return hashToken(key);
}
