import crypto, { createHash } from "node:crypto";

/** Of SHA-256, in bytes. */
const BLOCK = 64;
const DIGEST = 32;
const SCRATCH_BYTES = 64 * 1024;
/** UTF-8 of one UTF-16 unit, at most. */
const UTF8_GROWTH = 3;

type Hash = (data: Uint8Array | string, encoding: "hex" | "base64" | "latin1") => string;
/** Before 20.12 Node has no one-shot hash. The receiver library makes test requests there too. */
const sha256: Hash =
  "hash" in crypto
    ? (data, encoding) => crypto.hash("sha256", data, encoding)
    : (data, encoding) => createHash("sha256").update(data).digest(encoding);

const scratch = Buffer.alloc(SCRATCH_BYTES);
const outer = Buffer.alloc(BLOCK + DIGEST);
const block = Buffer.alloc(BLOCK);
const [blockWords, innerWords, outerWords] = [wordsOf(block), wordsOf(scratch), wordsOf(outer)];

/**
 * A key's text and how its bytes are written in it, at most 64 of them. Not the two padded blocks of RFC 2104: with
 * many new webhooks they were a quarter of all that left V8's young generation, and making them is as fast as a
 * look-up.
 */
export interface HmacKey {
  text: string;
  encoding: "utf8" | "base64" | "latin1";
}

export function hmacKey(text: string, encoding: "utf8" | "base64"): HmacKey {
  return Buffer.byteLength(text, encoding) <= BLOCK
    ? { text, encoding }
    : { text: sha256(Buffer.from(text, encoding), "latin1"), encoding: "latin1" };
}

/**
 * HMAC-SHA256 over Node's one-shot hash. `createHmac` makes an object with a native half for every signature; two
 * signatures per request made that a tenth of all the work of sending. Tests compare the two.
 */
export function hmacSha256(
  key: HmacKey,
  message: Uint8Array | string,
  encoding: "hex" | "base64",
  /** Text in front of the message. */
  head = "",
): string {
  padKey(key);
  const inner = sha256(innerMessage(head, message), "latin1");
  outer.write(inner, BLOCK, "latin1");
  return sha256(outer, encoding);
}

/** Puts the padded key in front of the data of both hashes. */
function padKey({ text, encoding }: HmacKey): void {
  blockWords.fill(0);
  block.write(text, encoding);
  for (let index = 0; index < blockWords.length; index += 1) {
    const word = blockWords[index] ?? 0;
    innerWords[index] = word ^ 0x36363636;
    outerWords[index] = word ^ 0x5c5c5c5c;
  }
}

function innerMessage(head: string, message: Uint8Array | string): Uint8Array {
  const most =
    head.length * UTF8_GROWTH + message.length * (typeof message === "string" ? UTF8_GROWTH : 1);
  let into = scratch;
  if (BLOCK + most > SCRATCH_BYTES) {
    into = Buffer.allocUnsafe(BLOCK + most);
    into.set(scratch.subarray(0, BLOCK));
  }
  const at = head === "" ? BLOCK : BLOCK + into.write(head, BLOCK);
  if (typeof message === "string") return into.subarray(0, at + into.write(message, at));
  into.set(message, at);
  return into.subarray(0, at + message.length);
}

/** Of the first block. */
function wordsOf({ buffer, byteOffset }: Buffer): Uint32Array {
  return new Uint32Array(buffer, byteOffset, BLOCK / Uint32Array.BYTES_PER_ELEMENT);
}
