import { curlCommand } from "@markethook/protocol/curl";
import type { Output } from "../output/output.ts";
import { headerLine, indented, prettyBody } from "../output/exchange-parts.ts";
import { visible } from "../output/visible-text.ts";
import { headerPairs } from "../recording.ts";
import { type Answer, eventOf, isSuccess, type TriggeredRequest } from "./send.ts";
import { isUtf8 } from "node:buffer";

/** Of an answer's body, for people. */
const SHOWN = 2000;

export function requestValue({ url, headers, body }: TriggeredRequest): object {
  return { method: "POST", url, headers, body: body.toString() };
}

/** For `--json`: a line per request. */
export function exchangeValue(request: TriggeredRequest, answer: Answer): object {
  const shown =
    "error" in answer
      ? answer
      : {
          status: answer.status,
          ms: answer.ms,
          headers: headerPairs(answer.headers),
          body: answer.body?.toString() ?? null,
        };
  return { ok: isSuccess(answer), request: requestValue(request), answer: shown };
}

export function exchangeText(
  request: TriggeredRequest,
  answer: Answer,
  out: Output,
  details: boolean,
): string {
  const event = eventOf(request) ?? "no event";
  const headline = `${out.style("bold", "POST")} ${visible(request.url)} · ${visible(event)}`;
  if (!details) return `${headline} → ${outcome(answer, out)}`;
  return [
    headline,
    ...request.headers.map((header) => `  ${headerLine(header, out)}`),
    "",
    indented(prettyBody(request.body)),
    "",
    `→ ${outcome(answer, out)}`,
    ...("error" in answer ? [] : answerLines(answer, out)),
  ].join("\n");
}

function outcome(answer: Answer, out: Output): string {
  if ("error" in answer) return `${out.style("red", "no answer")} · ${visible(answer.error)}`;
  const status = `${answer.status} ${visible(answer.reason)}`.trim();
  const redirect =
    answer.status >= 300 && answer.status < 400 ? " · redirects are not followed" : "";
  return `${out.style(isSuccess(answer) ? "green" : "red", status)} · ${answer.ms} ms${redirect}`;
}

function answerLines(answer: Exclude<Answer, { error: string }>, out: Output): string[] {
  const headers = headerPairs(answer.headers).map((header) => `  ${headerLine(header, out)}`);
  const body =
    answer.body === null ? "(a body of more than 64 KiB)" : prettyBody(answer.body, SHOWN);
  return [...headers, "", indented(body)];
}

/** A command line that sends the same bytes; for a POSIX shell. */
export function curlText({ url, headers, body }: TriggeredRequest): string {
  const text = isUtf8(body) && !body.includes(0) ? body.toString() : null;
  const command = curlCommand({ method: "POST", url, headers, body: text });
  return text === null ? `echo ${body.toString("base64")} | base64 -d | ${command}` : command;
}

/** The bytes on the wire. */
export function rawRequest({ url, headers, body }: TriggeredRequest): Buffer {
  const { pathname, search } = new URL(url);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`POST ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"),
    body,
  ]);
}
