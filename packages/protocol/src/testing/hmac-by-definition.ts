import { createHash } from "node:crypto";

const BLOCK_BYTES = 64;

/** HMAC-SHA256 from the hash alone, as RFC 2104 defines it. It shares nothing with the code that signs. */
export function hmacByDefinition(key: Uint8Array, content: string | Uint8Array): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.set(key.length > BLOCK_BYTES ? sha256(key) : key);
  const padded = (pad: number): Buffer => Buffer.from(block.map((byte) => byte ^ pad));
  return sha256(padded(0x5c), sha256(padded(0x36), content));
}

function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}
