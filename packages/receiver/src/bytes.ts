/** Bytes and texts without Node's Buffer, which browsers and workers do not have. */
type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

export function utf8(text: string): Bytes {
  return encoder.encode(text);
}

/** One byte per character, for each of which eight bits are enough. */
export function latin1Text(bytes: Uint8Array): string {
  let text = "";
  // As arguments of one call, of which engines take some 60,000 at most.
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return text;
}

export function base64(bytes: Uint8Array): string {
  return btoa(latin1Text(bytes));
}

/** To be called with base64 only. */
export function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

export function concat(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * The caller's body as bytes. Null if it is something else: callers in plain JavaScript pass parsed bodies.
 * ArrayBuffer.isView also knows other realms' arrays.
 */
export function viewOf(body: unknown): Uint8Array<ArrayBuffer> | null {
  if (!ArrayBuffer.isView(body)) return null;
  const { buffer, byteOffset, byteLength } = body;
  if (!(buffer instanceof ArrayBuffer)) return copyOf(body);
  return body instanceof Uint8Array
    ? (body as Uint8Array<ArrayBuffer>) // Its buffer was checked.
    : new Uint8Array(buffer, byteOffset, byteLength);
}

/** As a copy: a host may reuse its buffer while a signature is computed, and the parsed bytes must be the signed ones. */
export function copyOf(body: unknown): Uint8Array<ArrayBuffer> | null {
  if (!ArrayBuffer.isView(body)) return null;
  return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice();
}
