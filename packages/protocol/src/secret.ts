import { type RandomBytes, randomText } from "./nonce.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 48;

/**
 * A webhook secret: 48 letters and digits, about 285 bits. The same text is base64 of 36 bytes, so it is a
 * Standard Webhooks secret too.
 */
export function makeSecret(randomBytes: RandomBytes): string {
  return randomText(randomBytes, LENGTH, ALPHABET);
}

/**
 * The key of the Standard Webhooks signature: the secret read as plain base64, `whsec_` in front allowed.
 * Null when it is not base64; such a secret signs `X-{Service}-Signature` only.
 */
export function standardKey(secret: string): Buffer | null {
  const text = standardText(secret);
  return text === null ? null : Buffer.from(text, "base64");
}

/** The same key as it is written: base64, without anything in front. */
export function standardText(secret: string): string | null {
  const text = secret.startsWith("whsec_") ? secret.slice(6) : secret;
  if (text.length === 0 || text.length % 4 !== 0) return null;
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? text : null;
}
