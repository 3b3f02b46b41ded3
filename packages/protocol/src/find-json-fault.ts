import { pointerToken } from "./echo.ts";
import type { ErrorCode } from "./errors.ts";
import { FORBIDDEN_KEYS, type JsonLimits } from "./scan-json.ts";

export interface JsonFault {
  code: Extract<
    ErrorCode,
    "json_invalid" | "json_too_complex" | "json_duplicate_key" | "json_forbidden_key"
  >;
  /** Pointer into the value; absent if there is no value yet. */
  pointer?: string;
  /** Names the limit or the place in the text. */
  detail: string;
}

/** An open object or array, and the position in it. */
interface Level {
  /** Keys of an object. */
  names: Set<string> | null;
  name: string;
  index: number;
}

type Expected = "value" | "value or end" | "key" | "key or end" | "comma or end";

/**
 * Reads JSON character by character, and finds its first fault: wrong grammar, too much of something, a key twice in
 * one object, or a key that reaches a prototype. It is slow, and only used for text that `createJsonScanner` or
 * `JSON.parse` refused.
 */
export function findJsonFault(text: string, limits: JsonLimits): JsonFault | null {
  if (text.startsWith("\ufeff"))
    return { code: "json_invalid", detail: "It begins with a byte order mark; leave that out." };
  const levels: Level[] = [];
  let keys = 0;
  let expected: Expected = "value";
  let i = 0;
  for (;;) {
    i = afterBlanks(text, i);
    const level = levels.at(-1);
    const sign = text[i];

    if (expected === "comma or end" && level === undefined) {
      return sign === undefined ? null : malformed(i);
    }
    if (sign === undefined) return malformed(i);
    if (level !== undefined && expected !== "value" && expected !== "key") {
      if (sign === (level.names === null ? "]" : "}")) {
        levels.pop();
        expected = "comma or end";
        i += 1;
        continue;
      }
      if (expected === "comma or end") {
        if (sign !== ",") return malformed(i);
        expected = level.names === null ? "value" : "key";
        level.index += 1;
        if (level.names === null && level.index === limits.elements) {
          const what = `An array has more than ${limits.elements} elements`;
          return tooComplex(what, i, pointerOf(levels.slice(0, -1)));
        }
        i += 1;
        continue;
      }
    }

    if (level?.names != null && (expected === "key" || expected === "key or end")) {
      if (sign !== '"') return malformed(i);
      const end = endOfString(text, i);
      if (end < 0) return malformed(~end);
      const name = String(JSON.parse(text.slice(i, end)));
      level.name = name;
      keys += 1;
      const fault =
        keys > limits.keys
          ? tooComplex(`It has more than ${limits.keys} keys`, i)
          : faultOfKey(name, text.slice(i + 1, end - 1), level.names, limits, i);
      if (fault !== null) return { ...fault, pointer: pointerOf(levels) };
      level.names.add(name);
      i = afterBlanks(text, end);
      if (text[i] !== ":") return malformed(i);
      i += 1;
      expected = "value";
      continue;
    }

    if (sign === "{" || sign === "[") {
      if (levels.length === limits.depth) {
        return tooComplex(`It is nested deeper than ${limits.depth}`, i, pointerOf(levels));
      }
      levels.push({ names: sign === "{" ? new Set() : null, name: "", index: 0 });
      expected = sign === "{" ? "key or end" : "value or end";
      i += 1;
      continue;
    }
    const end = sign === '"' ? endOfString(text, i) : endOfScalar(text, i, limits.numberDigits);
    if (end === null) {
      return tooComplex(
        `A number has more than ${limits.numberDigits} digits`,
        i,
        pointerOf(levels),
      );
    }
    if (end < 0) return malformed(~end);
    i = end;
    expected = "comma or end";
  }
}

function faultOfKey(
  name: string,
  written: string,
  names: ReadonlySet<string>,
  limits: JsonLimits,
  at: number,
): JsonFault | null {
  // The cheap check first: a key has at least as many bytes as characters.
  if (written.length > limits.keyBytes || Buffer.byteLength(written) > limits.keyBytes) {
    return tooComplex(`A key is longer than ${limits.keyBytes} bytes`, at);
  }
  if (FORBIDDEN_KEYS.some((forbidden) => forbidden === name)) {
    return { code: "json_forbidden_key", detail: `It stands at position ${at}.` };
  }
  if (names.has(name)) {
    return { code: "json_duplicate_key", detail: `The second one stands at position ${at}.` };
  }
  return null;
}

function malformed(at: number): JsonFault {
  return { code: "json_invalid", detail: `The JSON is malformed at position ${at}.` };
}

function tooComplex(what: string, at: number, pointer?: string): JsonFault {
  const detail = `${what}, at position ${at}.`;
  return { code: "json_too_complex", detail, ...(pointer === undefined ? {} : { pointer }) };
}

function pointerOf(levels: readonly Level[]): string {
  return levels
    .map(({ names, name, index }) => `/${names === null ? index : pointerToken(name)}`)
    .join("");
}

function afterBlanks(text: string, from: number): number {
  let i = from;
  while (text[i] === " " || text[i] === "\n" || text[i] === "\r" || text[i] === "\t") i += 1;
  return i;
}

/** Returns the index after the closing quote, or the complement of the position of a fault. */
function endOfString(text: string, from: number): number {
  for (let i = from + 1; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) return i + 1;
    if (unit < 0x20) return ~i;
    if (unit !== 0x5c) continue;
    const escape = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(i, i + 6));
    if (escape === null) return ~i;
    i += escape[0].length - 1;
  }
  return ~text.length;
}

/** The same for `true`, `false`, `null` and numbers; null for a number that is too long. */
function endOfScalar(text: string, from: number, mostDigits: number): number | null {
  let end = from;
  while (/[\w.+-]/.test(text[end] ?? "")) {
    end += 1;
    if (end - from > mostDigits) return /[\d-]/.test(text[from] ?? "") ? null : ~from;
  }
  const scalar = text.slice(from, end);
  const sound = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(scalar);
  return sound ? end : ~from;
}
