const BYTES = 12;

/** A source of `size` random bytes. Randomness comes in as an argument everywhere in this package. */
export type RandomBytes = (size: number) => Uint8Array;

/** 16 characters of `A-Za-z0-9_-` with 96 random bits. */
export function makeNonce(randomBytes: RandomBytes): string {
  const bytes = randomBytes(BYTES);
  return Buffer.from(bytes.buffer, bytes.byteOffset, BYTES).toString("base64url");
}

export function isNonce(value: string): boolean {
  return /^[A-Za-z0-9_-]{16}$/.test(value);
}
