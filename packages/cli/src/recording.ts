import { appendFileSync, readFileSync } from "node:fs";
import { jsonObject } from "@markethook/protocol";
import { usageFailure } from "./program/failure.ts";
import type { Header } from "./options/option-values.ts";
import type { Readable } from "node:stream";

/** A request as it arrived. In a file: one JSON object a line, with the body in base64. */
export interface RecordedRequest {
  /** Unix milliseconds. In a file: an ISO date. */
  receivedAt: number;
  method: string;
  /** Path and query. */
  url: string;
  /** In order of arrival, with the case and repetitions they came with. */
  headers: readonly Header[];
  body: Buffer;
}

/** @throws where the file cannot be written, before anything waits for requests. */
export function prepareRecording(file: string): void {
  appendFileSync(file, "", OWNERS_ALONE);
}

/** Bodies and signatures of real buyers are nobody else's business. */
const OWNERS_ALONE = { mode: 0o600 };

export function appendRecording(file: string, request: RecordedRequest): void {
  const { receivedAt, body, ...rest } = request;
  const line = {
    receivedAt: new Date(receivedAt).toISOString(),
    ...rest,
    body: body.toString("base64"),
  };
  appendFileSync(file, `${JSON.stringify(line)}\n`, OWNERS_ALONE);
}

/** @throws a usage failure that names the first line which is not a recorded request. */
export function readRecordings(file: string): RecordedRequest[] {
  const requests = parseRecordings(readFileSync(file, "utf8"));
  if (requests === null) {
    throw usageFailure(
      `${file} holds no recorded requests.`,
      "`receive --record` makes such files.",
    );
  }
  return requests;
}

/** Null where the text is none of our recordings. */
export function parseRecordings(text: string): RecordedRequest[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0 || readLine(lines[0] ?? "") === null) return null;
  return lines.map((line, index) => {
    const request = readLine(line);
    if (request === null) throw usageFailure(`Line ${index + 1} is not a recorded request.`);
    return request;
  });
}

function readLine(line: string): RecordedRequest | null {
  const { receivedAt, method, url, headers, body } = jsonObject(line) ?? {};
  if (typeof method !== "string" || typeof url !== "string" || typeof body !== "string")
    return null;
  if (!Array.isArray(headers) || !headers.every(isHeader)) return null;
  const at = typeof receivedAt === "string" ? Date.parse(receivedAt) : NaN;
  if (Number.isNaN(at)) return null;
  return { receivedAt: at, method, url, headers, body: Buffer.from(body, "base64") };
}

function isHeader(value: unknown): value is Header {
  return (
    Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string")
  );
}

/** All bytes of a stream; null where there are more than `most`. */
export async function readBody(stream: Readable, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Of `rawHeaders`, where names and values follow one another. */
export function headerPairs(raw: readonly string[]): Header[] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [
    raw[2 * index] ?? "",
    raw[2 * index + 1] ?? "",
  ]);
}
