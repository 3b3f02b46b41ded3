import { ERRORS, type ErrorCode } from "@markethook/protocol";
import { LONGEST_LINE, type SourceLine } from "./source-lines.ts";

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

const BYTE_ORDER_MARK = "\ufeff";
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Null for an empty line. */
export function checkLine({ number, bytes }: SourceLine): CheckedLine | RejectedLine | null {
  const reject = (code: ErrorCode, sentence: string, pointer?: string): RejectedLine => ({
    line: number,
    code,
    ...(pointer === undefined ? {} : { pointer }),
    detail: `${sentence} ${ERRORS[code].advice}`,
  });
  if (bytes === null) return reject("body_too_large", "The line is longer than 256 KiB.");
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return reject("json_invalid", "The line is not UTF-8.");
  }
  if (number === 1 && text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
  if (text.trim() === "") return null;
  let record: unknown;
  let size: number;
  try {
    record = JSON.parse(text);
    // Also a bound of depth: what cannot be written again cannot be sent.
    size = Buffer.byteLength(JSON.stringify(record));
  } catch {
    return reject("json_invalid", "The line is not one whole JSON value: write a record per line.");
  }
  if (!isObject(record)) return reject("json_invalid", "The line is JSON, but no object.");
  if (size > LONGEST_LINE) return reject("body_too_large", "The record is longer than 256 KiB.");
  const kind = KINDS.find((each) => each === record["kind"]);
  if (kind === undefined) {
    const kinds = KINDS.join(", ");
    return reject("field_invalid", `\`kind\` must be one of ${kinds}.`, "/kind");
  }
  return { line: number, kind, record, bytes: size };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
