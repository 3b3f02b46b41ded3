import { type ErrorCode, ERRORS, isObject, LIMITS } from "@markethook/protocol";
import { findJsonFault } from "@markethook/protocol/find-json-fault";
import {
  BATCH_JSON_LIMITS,
  createJsonScanner,
  type JsonLimits,
} from "@markethook/protocol/scan-json";
import type { SourceLine } from "./source.ts";

/** Why a line of JSON Lines cannot be sent. */
export interface LineFault {
  code: ErrorCode;
  /** JSON Pointer into the line's value. */
  pointer?: string;
  /** What is wrong; a sentence. */
  title: string;
  /** Where, and what to do. */
  detail: string;
}

/** So that a batch of such lines keeps the API's limits, with what is put around them and a key that is made for each. */
const LINE_LIMITS: JsonLimits = {
  ...BATCH_JSON_LIMITS,
  depth: BATCH_JSON_LIMITS.depth - 2,
  keys: BATCH_JSON_LIMITS.keys / LIMITS.batchItems - 2,
};
const scan = createJsonScanner(LINE_LIMITS);

const BYTE_ORDER_MARK = Buffer.from("\ufeff");
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The JSON value of a line, or why it is none that the API would take: parsing alone would keep the last of two members
 * with the same name. Null for an empty line.
 */
export function readJsonLine(line: SourceLine): { value: unknown } | LineFault | null {
  if (line.bytes === null) return fault("body_too_large", "The line is too long.");
  // One may begin each of several files that were joined.
  const mark = line.bytes.subarray(0, BYTE_ORDER_MARK.length);
  const bytes = mark.equals(BYTE_ORDER_MARK) ? line.bytes.subarray(mark.length) : line.bytes;
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return fault("json_invalid", "The line is not UTF-8.");
  }
  if (text.trim() === "") return null;
  if (scan(bytes, text).suspicious) {
    const found = findJsonFault(text, LINE_LIMITS);
    if (found !== null && found.code !== "json_invalid") {
      const { code, pointer, detail } = found;
      return fault(code, ERRORS[code].title, detail, pointer);
    }
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    const where = findJsonFault(text, LINE_LIMITS)?.detail;
    return fault("json_invalid", "The line is not one whole JSON value.", where);
  }
}

function fault(code: ErrorCode, title: string, detail?: string, pointer?: string): LineFault {
  const { advice } = ERRORS[code];
  return {
    code,
    ...(pointer === undefined ? {} : { pointer }),
    title,
    detail: detail === undefined ? advice : `${detail} ${advice}`,
  };
}

export const KINDS = ["resource", "webhook", "fileVersion", "firstDownload"] as const;
export type RecordKind = (typeof KINDS)[number];

/** A line that may be sent; whether the rest of it is right is the service's to say. */
export interface CheckedLine {
  line: number;
  kind: RecordKind;
  record: Record<string, unknown>;
  /** Of its JSON. */
  bytes: number;
}

/** Why a line is not imported, as written to the file of rejected lines. */
export interface RejectedLine {
  line: number;
  code: string;
  /** JSON Pointer into the record. */
  pointer?: string;
  detail: string;
}

/** Longer than any record can be. */
export const LONGEST_LINE = 256 * 1024;

/** Null for an empty line. */
export function checkLine(source: SourceLine): CheckedLine | RejectedLine | null {
  const line = source.number;
  const reject = ({ title, detail, ...rest }: LineFault): RejectedLine => ({
    line,
    ...rest,
    detail: `${title} ${detail}`,
  });
  if (source.bytes === null) {
    return reject(fault("body_too_large", "The line is longer than 256 KiB."));
  }
  const read = readJsonLine(source);
  if (read === null) return null;
  if (!("value" in read)) return reject(read);
  const record = read.value;
  if (!isObject(record)) return reject(fault("json_invalid", "The line is JSON, but no object."));
  const size = Buffer.byteLength(JSON.stringify(record));
  if (size > LONGEST_LINE) {
    return reject(fault("body_too_large", "The record is longer than 256 KiB."));
  }
  const kind = KINDS.find((each) => each === record["kind"]);
  if (kind === undefined) {
    const title = `\`kind\` must be one of ${KINDS.join(", ")}.`;
    return reject(fault("field_invalid", title, undefined, "/kind"));
  }
  return { line, kind, record, bytes: size };
}
