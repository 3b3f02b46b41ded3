import { ERRORS, type ErrorCode } from "@markethook/protocol";
import { readJsonLine } from "./json-line.ts";
import type { SourceLine } from "./source-lines.ts";

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
  const reject = (code: ErrorCode, sentence: string, pointer?: string): RejectedLine => ({
    line,
    code,
    ...(pointer === undefined ? {} : { pointer }),
    detail: `${sentence} ${ERRORS[code].advice}`,
  });
  if (source.bytes === null) return reject("body_too_large", "The line is longer than 256 KiB.");
  const read = readJsonLine(source);
  if (read === null) return null;
  if (!("value" in read)) {
    const { title, detail, ...rest } = read;
    return { line, ...rest, detail: `${title} ${detail}` };
  }
  const record = read.value;
  if (!isObject(record)) return reject("json_invalid", "The line is JSON, but no object.");
  const size = Buffer.byteLength(JSON.stringify(record));
  if (size > LONGEST_LINE) return reject("body_too_large", "The record is longer than 256 KiB.");
  const kind = KINDS.find((each) => each === record["kind"]);
  if (kind === undefined) {
    const kinds = KINDS.join(", ");
    return reject("field_invalid", `\`kind\` must be one of ${kinds}.`, "/kind");
  }
  return { line, kind, record, bytes: size };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
