/** Limits of JSON besides its length. */
export interface JsonLimits {
  depth: number;
  keys: number;
  /** Elements of one array. */
  elements: number;
  /** Bytes of one key, as written. */
  keyBytes: number;
  /** Digits of one number. */
  numberDigits: number;
}

/** More than any body of ours needs. */
export const JSON_LIMITS: JsonLimits = {
  depth: 64,
  keys: 10_000,
  elements: 1000,
  keyBytes: 256,
  numberDigits: 64,
};
/** For bodies of up to 1,000 items; a few too many have an error of their own. */
export const BATCH_JSON_LIMITS: JsonLimits = { ...JSON_LIMITS, keys: 64_000, elements: 64_000 };

export interface JsonScan {
  /** True if there may be a repeated or forbidden key, or too much of something; `findJsonFault` decides. */
  suspicious: boolean;
  /** True if there is a `\u`, the only way to U+0000 and half a surrogate pair. */
  escapes: boolean;
}

/** Names that reach a prototype when code copies members by name. */
export const FORBIDDEN_KEYS = ["__proto__", "constructor", "prototype"] as const;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** With more keys in one object, comparing each pair costs too much here. */
const FEW_KEYS = 64;
/** After this many bytes of a string, the platform searches for its end. */
const LONG_STRING = 16;

const FORBIDDEN = FORBIDDEN_KEYS.map((key) => {
  let hash = 0;
  for (const byte of Buffer.from(key)) hash = (Math.imul(hash, 31) + byte) | 0;
  return hash;
});

/**
 * One fast pass over bytes that may be JSON, before they are parsed. Keys are compared by a hash. Equal keys have equal
 * hashes, so none is missed; the few false alarms cost a second pass. Text that is no JSON is left to `JSON.parse`.
 */
export function createJsonScanner(
  limits: JsonLimits,
): (bytes: Buffer, decoded: string) => JsonScan {
  const { depth: maxDepth, keys: maxKeys, elements: maxElements, keyBytes, numberDigits } = limits;
  // One request is scanned at a time: these are only used within a call.
  const isObject = new Uint8Array(maxDepth + 2);
  const firstHash = new Uint32Array(maxDepth + 2);
  const commas = new Uint32Array(maxDepth + 2);
  const hashes = new Int32Array((maxDepth + 1) * (FEW_KEYS + 1));
  const [proto, constructor_, prototype] = FORBIDDEN;

  return function scanJson(bytes, decoded) {
    // Finding is several times as fast in a string as in bytes; here each unit must be a byte.
    const text = decoded.length === bytes.length ? decoded : bytes.toString("latin1");
    const end = bytes.length;
    let depth = 0;
    let top = 0;
    let keys = 0;
    let atKey = false;
    let i = 0;
    commas[0] = 0;
    while (i < end) {
      const byte = bytes[i++] as number; // i is below the length.
      if (byte === QUOTE) {
        if (atKey) {
          const start = i;
          atKey = false;
          let hash = 0;
          let at = bytes[i];
          while (at !== QUOTE && at !== undefined) {
            if (at === BACKSLASH) return { suspicious: true, escapes: true };
            hash = (Math.imul(hash, 31) + at) | 0;
            at = bytes[++i];
          }
          const first = firstHash[depth] as number; // Filled when the object began.
          keys += 1;
          if (
            keys > maxKeys ||
            top - first >= FEW_KEYS ||
            i - start > keyBytes ||
            hash === proto ||
            hash === constructor_ ||
            hash === prototype
          ) {
            return { suspicious: true, escapes: true };
          }
          for (let k = first; k < top; k += 1) {
            if (hashes[k] === hash) return { suspicious: true, escapes: true };
          }
          hashes[top++] = hash;
          i += 1;
        } else {
          i = endOfString(bytes, text, i);
        }
      } else if (byte === COMMA) {
        atKey = isObject[depth] === 1;
        if (!atKey) {
          const count = (commas[depth] as number) + 1; // Filled when the array began, and for 0.
          if (count >= maxElements) return { suspicious: true, escapes: true };
          commas[depth] = count;
        }
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        depth += 1;
        if (depth > maxDepth) return { suspicious: true, escapes: true };
        atKey = byte === OPEN_BRACE;
        isObject[depth] = atKey ? 1 : 0;
        firstHash[depth] = top;
        commas[depth] = 0;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        top = firstHash[depth] as number; // Filled for all depths that were reached, and for 0.
        if (depth > 0) depth -= 1;
        atKey = false;
      } else if (isDigit(byte)) {
        const start = i;
        while (isNumberByte(bytes[i])) i += 1;
        if (i - start >= numberDigits) return { suspicious: true, escapes: true };
      }
    }
    return { suspicious: false, escapes: text.includes(String.raw`\u`) };
  };
}

/** Returns the position after the string whose content begins here. */
function endOfString(bytes: Buffer, text: string, from: number): number {
  let i = from;
  let loopUntil = i + LONG_STRING;
  for (;;) {
    const byte = bytes[i];
    if (byte === QUOTE || byte === undefined) return i + 1;
    if (byte === BACKSLASH) {
      i += 2;
    } else if (i < loopUntil) {
      i += 1;
    } else {
      const quote = text.indexOf('"', i);
      if (quote < 0) return bytes.length;
      let slashes = 0;
      while (bytes[quote - 1 - slashes] === BACKSLASH) slashes += 1;
      i = quote + (slashes % 2);
      loopUntil = i + LONG_STRING;
    }
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Digits, `.`, `e`, `E`, `+`, `-`. */
function isNumberByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (
    isDigit(byte) ||
    byte === 0x2e ||
    byte === 0x65 ||
    byte === 0x45 ||
    byte === 0x2b ||
    byte === 0x2d
  );
}
