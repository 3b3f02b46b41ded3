import { base64, concat, fromBase64, hex, utf8 } from "./bytes.ts";
import type { MacJob } from "./mac.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" };
/** HMAC fills keys up with zeros, so this is the same key as none at all, which Web Crypto refuses. */
const ZERO = new Uint8Array(1);

/** `#mac` in browsers and workers. */
export async function mac({ key: { text, encoding }, head, body, as }: MacJob): Promise<string> {
  const { subtle } = globalThis.crypto;
  const bytes = encoding === "utf8" ? utf8(text) : fromBase64(text);
  const raw = bytes.length > 0 ? bytes : ZERO;
  const key = await subtle.importKey("raw", raw, HMAC, false, ["sign"]);
  const digest = new Uint8Array(await subtle.sign("HMAC", key, concat([utf8(head), body])));
  return as === "hex" ? hex(digest) : base64(digest);
}

export function macs(jobs: readonly MacJob[]): Promise<string[]> {
  return Promise.all(jobs.map(mac));
}
