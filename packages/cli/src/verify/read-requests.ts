import { usageFailure } from "../program/failure.ts";
import { type Header, readHeaderLine } from "../options/option-values.ts";
import { parseRecordings, type RecordedRequest } from "../recording.ts";

export const FORMS = ["body", "recording", "request"] as const;
export type Form = (typeof FORMS)[number];

interface ReadRequests {
  requests: RecordedRequest[];
  /** How the input was interpreted, if the reader should know. */
  remark: string | null;
}

/** @throws a usage failure where the input is empty, or not of the form that was named. */
export function readRequests(
  input: Buffer,
  form: Form | "auto",
  extra: readonly Header[],
): ReadRequests {
  if (input.length === 0 && extra.length === 0) {
    throw usageFailure(
      "There is nothing to verify: the input is empty.",
      "Name a file, or pipe one in.",
    );
  }
  if (
    form === "request" ||
    (form === "auto" && REQUEST_LINE.test(input.toString("latin1", 0, 4096)))
  ) {
    return readWholeRequest(input, extra);
  }
  if (form !== "body") {
    const recorded = parseRecordings(input.toString());
    if (recorded !== null)
      return { requests: recorded.map((one) => withHeaders(one, extra)), remark: null };
    if (form === "recording") throw usageFailure("The input holds no recorded requests.");
  }
  if (extra.length === 0) {
    throw usageFailure(
      "A body alone cannot be verified: its headers are missing.",
      "Give --signature, --header or --headers; or the whole request.",
    );
  }
  const request = { receivedAt: Date.now(), method: "POST", url: "/", headers: extra, body: input };
  return { requests: [request], remark: null };
}

/** Blank lines are skipped. @throws a usage failure for a line that is no header. */
export function readHeaderLines(text: string, where: string): Header[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !REQUEST_LINE.test(line))
    .map((line) => {
      const header = readHeaderLine(line);
      if (header === null) throw usageFailure(`${where}: a line is not \`Name: value\`.`);
      return header;
    });
}

/** As on the wire, or as the pages show it and copy it: with the whole address, and without a version. */
const REQUEST_LINE = /^[A-Z]{3,10} (?:\S+ HTTP\/[0-9.]+|https?:\/\/\S+)\r?(\n|$)/;

function readWholeRequest(input: Buffer, extra: readonly Header[]): ReadRequests {
  const end = endOfHead(input);
  if (end === null) throw usageFailure("The request has no blank line between headers and body.");
  const [requestLine = "", ...rest] = input.toString("latin1", 0, end.from).split(/\r?\n/);
  const [method = "", url = ""] = requestLine.split(" ");
  if (!REQUEST_LINE.test(requestLine)) {
    throw usageFailure(
      "The input does not begin with a request line such as POST /hooks HTTP/1.1.",
    );
  }
  const headers = [...readHeaderLines(rest.join("\n"), "The request"), ...extra];
  const whole = input.subarray(end.to);
  const length = Number(
    headers.find(([name]) => name.toLowerCase() === "content-length")?.[1] ?? NaN,
  );
  const body = whole.length > length ? whole.subarray(0, length) : whole;
  return {
    requests: [{ receivedAt: Date.now(), method, url, headers, body }],
    remark: lengthRemark(whole.length, length),
  };
}

/** Where the blank line is, whichever line ends the text has. */
function endOfHead(input: Buffer): { from: number; to: number } | null {
  const found = ["\r\n\r\n", "\n\n"]
    .map((blank) => ({ from: input.indexOf(blank), length: blank.length }))
    .filter(({ from }) => from >= 0)
    .sort((a, b) => a.from - b.from)[0];
  return found === undefined ? null : { from: found.from, to: found.from + found.length };
}

function lengthRemark(actual: number, told: number): string | null {
  if (Number.isNaN(told) || actual === told) return null;
  return actual > told
    ? `The body was cut to the ${told} bytes of Content-Length; ${actual - told} more followed.`
    : `The body has ${actual} bytes, but Content-Length says ${told}: something is missing.`;
}

function withHeaders(request: RecordedRequest, extra: readonly Header[]): RecordedRequest {
  return { ...request, headers: [...request.headers, ...extra] };
}
