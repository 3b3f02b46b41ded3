import type { ByteCollector } from "./byte-collector.ts";

const LF = 10;
const CR = 13;
const SEMICOLON = 59;

const SIZE = 0;
const EXTENSION = 1;
const SIZE_LF = 2;
const DATA = 3;
const DATA_CR = 4;
const DATA_LF = 5;
const TRAILER_START = 6;
const TRAILER = 7;
const TRAILER_LF = 8;
const LAST_LF = 9;
export const CHUNKS_ENDED = 10;
export const CHUNKS_INVALID = 11;

/** Sizes of 16 MiB and more are never read. A longer number is an attempt to overflow an integer. */
const MAX_SIZE_DIGITS = 8;

/** Decodes `Transfer-Encoding: chunked`. Every line must end in CR LF; extensions and trailers are skipped. */
export class ChunkReader {
  state = SIZE;
  readonly #body: ByteCollector;
  #size = 0;
  #digits = 0;

  constructor(body: ByteCollector) {
    this.#body = body;
  }

  /** Returns the offset up to which it has read: the end of `bytes`, of the body, or a fault. */
  read(bytes: Buffer, start: number): number {
    let at = start;
    while (at < bytes.length && this.state < CHUNKS_ENDED) {
      if (this.state === DATA) {
        const to = Math.min(bytes.length, at + this.#size);
        this.#body.add(bytes, at, to);
        this.#size -= to - at;
        at = to;
        if (this.#size === 0) this.state = DATA_CR;
      } else {
        this.state = this.#next(bytes[at] ?? 0);
        at += 1;
      }
    }
    return at;
  }

  #next(byte: number): number {
    switch (this.state) {
      case SIZE:
        return this.#nextOfSize(byte);
      case EXTENSION:
        return byte === CR ? SIZE_LF : isText(byte) ? EXTENSION : CHUNKS_INVALID;
      case SIZE_LF:
        if (byte !== LF) return CHUNKS_INVALID;
        this.#digits = 0;
        return this.#size === 0 ? TRAILER_START : DATA;
      case DATA_CR:
        return byte === CR ? DATA_LF : CHUNKS_INVALID;
      case DATA_LF:
        return byte === LF ? SIZE : CHUNKS_INVALID;
      case TRAILER_START:
        return byte === CR ? LAST_LF : isText(byte) ? TRAILER : CHUNKS_INVALID;
      case TRAILER:
        return byte === CR ? TRAILER_LF : isText(byte) ? TRAILER : CHUNKS_INVALID;
      case TRAILER_LF:
        return byte === LF ? TRAILER_START : CHUNKS_INVALID;
      default:
        return byte === LF ? CHUNKS_ENDED : CHUNKS_INVALID;
    }
  }

  #nextOfSize(byte: number): number {
    const digit = hexValue(byte);
    if (digit !== -1) {
      if (this.#digits === MAX_SIZE_DIGITS) return CHUNKS_INVALID;
      this.#size = this.#digits === 0 ? digit : this.#size * 16 + digit;
      this.#digits += 1;
      return SIZE;
    }
    if (this.#digits === 0) return CHUNKS_INVALID;
    if (byte === CR) return SIZE_LF;
    return byte === SEMICOLON ? EXTENSION : CHUNKS_INVALID;
  }
}

function hexValue(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** True unless it is a control character. A space or tab may stand in an extension or a trailer. */
function isText(byte: number): boolean {
  return byte === 9 || (byte >= 32 && byte !== 127);
}
