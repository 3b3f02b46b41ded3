import { isEventName, PAYLOAD_SHAPES, type Shape, UPDATE_ALIAS } from "@markethook/protocol";

import type { CauseCode } from "./cause.ts";

export interface BodyVariant {
  code: CauseCode;
  bytes: Uint8Array;
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * What the signed bytes may have been, given the bytes that were passed in: each undoes one usual fault. Lazy,
 * because the first that fits ends the search.
 */
export function* bodyVariants(body: Buffer): Generator<BodyVariant> {
  yield* endings(body);
  yield* encodings(body);
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8").replace(/^\uFEFF/, ""));
  } catch {
    return;
  }
  yield* printings(value);
}

function* endings(body: Buffer): Generator<BodyVariant> {
  const withoutEnd = /[\r\n]*$/.exec(body.toString("latin1"))?.index ?? body.length;
  if (withoutEnd < body.length)
    yield { code: "newline_added", bytes: body.subarray(0, withoutEnd) };
  for (const end of ["\n", "\r\n"]) {
    yield { code: "newline_removed", bytes: Buffer.concat([body, Buffer.from(end)]) };
  }
  if (body.subarray(0, BOM.length).equals(BOM)) {
    yield { code: "bom_added", bytes: body.subarray(BOM.length) };
  } else {
    yield { code: "bom_removed", bytes: Buffer.concat([BOM, body]) };
  }
}

function* encodings(body: Buffer): Generator<BodyVariant> {
  const code = "body_reencoded";
  const text = body.toString("utf8");
  const latin1 = singleBytes(text);
  // UTF-8 taken for Latin-1 or Windows-1252, and printed as UTF-8 again.
  if (latin1) yield { code, bytes: latin1 };
  // Printed as Latin-1.
  yield { code, bytes: Buffer.from(body.toString("latin1")) };
  if (body.length % 2 === 0) {
    const stripped = (wide: Buffer) => Buffer.from(wide.toString("utf16le").replace(/^\uFEFF/, ""));
    yield { code, bytes: stripped(body) };
    yield { code, bytes: stripped(Buffer.from(body).swap16()) };
  }
}

/** Windows-1252's characters for 0x80 to 0x9f, where it differs from Latin-1. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function singleBytes(text: string): Buffer | null {
  const bytes = Buffer.alloc(text.length);
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
    yield { code: "body_double_encoded", bytes: Buffer.from(value) };
    return;
  }
  try {
    yield { code: "body_reprinted", bytes: Buffer.from(JSON.stringify(value)) };
    yield { code: "body_indented", bytes: Buffer.from(JSON.stringify(value, null, 2)) };
    const ordered = inSpecificationOrder(value);
    yield { code: "members_reordered", bytes: Buffer.from(JSON.stringify(ordered)) };
  } catch (error) {
    // Nesting deeper than the stack is no usual fault; anything else is a fault of ours.
    if (!(error instanceof RangeError)) throw error;
  }
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
