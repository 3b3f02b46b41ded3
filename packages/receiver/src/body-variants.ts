import { isEventName, UPDATE_ALIAS } from "@markethook/protocol/event-names";
import { isObject } from "@markethook/protocol/json-object";
import { PAYLOAD_SHAPES, type Shape } from "@markethook/protocol/payload-shapes";

import { concat, fromBase64, isSameBytes, latin1Text, utf8 } from "./bytes.ts";
import type { CauseCode } from "./cause.ts";
import type { SearchBudget } from "./search-budget.ts";

export interface BodyVariant {
  code: CauseCode;
  bytes: Bytes;
}

type Bytes = Uint8Array<ArrayBuffer>;

const BOM = Uint8Array.of(0xef, 0xbb, 0xbf);
/** Our bodies are nested 3 deep. Indentation multiplies the size of a deep one. */
const DEEPEST = 16;

/**
 * Guesses of the signed bytes, given the bytes that were passed in: each undoes one usual fault. Lazy,
 * because the first that fits ends the search.
 */
export function* bodyVariants(body: Bytes, budget: SearchBudget): Generator<BodyVariant> {
  yield* endings(body);
  yield* encodings(body);
  yield* unwrapped(body);
  let value: unknown;
  try {
    value = JSON.parse(utf8Text(body).replace(/^\uFEFF/, ""));
  } catch {
    return;
  }
  if (isDeeper(value, DEEPEST)) budget.isIncomplete = true;
  else yield* printings(value);
}

function* endings(body: Bytes): Generator<BodyVariant> {
  // A pattern would try each line break inside as the beginning of the last ones.
  let end = body.length;
  while (isLineBreak(body[end - 1])) end -= 1;
  if (end < body.length) yield { code: "newline_added", bytes: body.subarray(0, end) };
  for (const lineBreak of ["\n", "\r\n"]) {
    yield { code: "newline_removed", bytes: concat([body, utf8(lineBreak)]) };
  }
  if (isSameBytes(body.subarray(0, BOM.length), BOM)) {
    yield { code: "bom_added", bytes: body.subarray(BOM.length) };
  } else {
    yield { code: "bom_removed", bytes: concat([BOM, body]) };
  }
}

function isLineBreak(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d;
}

function* encodings(body: Bytes): Generator<BodyVariant> {
  const code = "body_reencoded";
  const narrow = singleBytes(utf8Text(body));
  // UTF-8 taken for Latin-1 or Windows-1252, and printed as UTF-8 again.
  if (narrow) yield { code, bytes: narrow };
  // Printed as Latin-1.
  yield { code, bytes: utf8(latin1Text(body)) };
  if (body.length % 2 === 0) {
    // Without `ignoreBOM` a byte order mark is taken away. Not every engine has a decoder for the other order.
    const decode = (wide: Bytes) => utf8(new TextDecoder("utf-16le").decode(wide));
    yield { code, bytes: decode(body) };
    yield { code, bytes: decode(swapped(body)) };
  }
}

/** Gateways of serverless functions hand over what they take for binary data as base64. */
function* unwrapped(body: Bytes): Generator<BodyVariant> {
  const text = latin1Text(body);
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  if (isBase64) yield { code: "body_base64", bytes: fromBase64(text) };
}

/** Bytes that are not UTF-8 become U+FFFD. */
function utf8Text(bytes: Bytes): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Of each two bytes the second first. */
function swapped(bytes: Bytes): Bytes {
  return bytes.map((_, index) => bytes[index ^ 1] ?? 0);
}

/** Windows-1252's characters for 0x80 to 0x9f, where it differs from Latin-1. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function singleBytes(text: string): Bytes | null {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const windows = unit > 0xff ? WINDOWS_1252.indexOf(text.charAt(index)) : -1;
    if (unit > 0xff && windows < 0) return null;
    bytes[index] = windows < 0 ? unit : 0x80 + windows;
  }
  return bytes;
}

function* printings(value: unknown): Generator<BodyVariant> {
  if (typeof value === "string") {
    yield { code: "body_double_encoded", bytes: utf8(value) };
    return;
  }
  yield { code: "body_reprinted", bytes: utf8(JSON.stringify(value)) };
  for (const text of layouts(value)) yield { code: "body_indented", bytes: utf8(text) };
  const ordered = inSpecificationOrder(value);
  yield { code: "members_reordered", bytes: utf8(JSON.stringify(ordered)) };
}

/** As usual printers write it: indented, and with a space behind each comma and colon, as Python does. */
function* layouts(value: unknown): Generator<string> {
  for (const indent of [2, 4, "\t"]) yield JSON.stringify(value, null, indent);
  // No line break of its own stands inside a string.
  const lines = JSON.stringify(value, null, 1);
  yield lines.replaceAll(/,\n */g, ", ").replaceAll(/\n */g, "");
}

/** Whether it has more levels of objects and arrays. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function inSpecificationOrder(value: unknown): unknown {
  if (!isObject(value) || typeof value["event"] !== "string") return value;
  const name = value["event"] === UPDATE_ALIAS ? "product.update" : value["event"];
  const any: Shape = { type: "string" };
  const payload = isEventName(name) ? PAYLOAD_SHAPES[name] : any;
  const properties = { event: any, time: any, nonce: any, payload };
  return reorder(value, { type: "object", properties, required: [] });
}

/** Members that the shape does not name keep their order behind those that it does. */
function reorder(value: unknown, shape: Shape | undefined): unknown {
  if (!isObject(value) || shape?.type !== "object") return value;
  const named = Object.keys(shape.properties).filter((name) => Object.hasOwn(value, name));
  const rest = Object.keys(value).filter((name) => !Object.hasOwn(shape.properties, name));
  return Object.fromEntries(
    [...named, ...rest].map((name) => [name, reorder(value[name], shape.properties[name])]),
  );
}
