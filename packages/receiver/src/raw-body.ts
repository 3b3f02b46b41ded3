/**
 * What a caller gives as the body, as bytes; null where it is none: callers in plain JavaScript pass parsed bodies.
 * ArrayBuffer.isView also knows other realms' arrays.
 */
export function viewOf(body: unknown): Uint8Array<ArrayBuffer> | null {
  if (!ArrayBuffer.isView(body)) return null;
  const { buffer, byteOffset, byteLength } = body;
  if (!(buffer instanceof ArrayBuffer)) return copyOf(body);
  return body instanceof Uint8Array
    ? (body as Uint8Array<ArrayBuffer>)
    : new Uint8Array(buffer, byteOffset, byteLength);
}

/** As a copy: a host may use its buffer again while a signature is waited for, and what is parsed must be what was signed. */
export function copyOf(body: unknown): Uint8Array<ArrayBuffer> | null {
  if (!ArrayBuffer.isView(body)) return null;
  return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice();
}
