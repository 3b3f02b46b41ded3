const NONCE_BYTES = 12;

/** A source of `size` random bytes. Randomness comes in as an argument everywhere in this package. */
export type RandomBytes = (size: number) => Uint8Array;

/** 16 characters of `A-Za-z0-9_-` with 96 random bits. */
export function makeNonce(randomBytes: RandomBytes): string {
  const bytes = randomBytes(NONCE_BYTES);
  return Buffer.from(bytes.buffer, bytes.byteOffset, NONCE_BYTES).toString("base64url");
}

export function isNonce(value: string): boolean {
  return /^[A-Za-z0-9_-]{16}$/.test(value);
}

/** A text of characters of this alphabet, each as likely as any other. */
export function randomText(randomBytes: RandomBytes, length: number, alphabet: string): string {
  // Higher bytes would favour the first characters.
  const fairBelow = 256 - (256 % alphabet.length);
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < fairBelow && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}

const POOL_BYTES = 8192;

/**
 * Serves small requests from one large draw: a system call per nonce would cost more than the nonce.
 * The views handed out are never reused.
 */
export function createRandomPool(source: RandomBytes): RandomBytes {
  let pool = new Uint8Array(0);
  let used = 0;
  return (size) => {
    if (size > POOL_BYTES) return source(size);
    if (used + size > pool.length) {
      pool = Uint8Array.from(source(POOL_BYTES));
      used = 0;
    }
    const view = pool.subarray(used, used + size);
    used += size;
    return view;
  };
}
