import { isUtf8 } from "node:buffer";
import type { TriggeredRequest } from "./send.ts";

/** curl makes these by itself, from the URL and the body. */
const SET_BY_CURL = new Set(["host", "content-length", "connection"]);

/** A command line that sends the same bytes; for a POSIX shell. */
export function curlCommand({ url, headers, body }: TriggeredRequest): string {
  const text = isUtf8(body) && !body.includes(0) ? body.toString() : null;
  const parts = [
    "curl -sS -i -X POST",
    ...headers
      .filter(([name]) => !SET_BY_CURL.has(name.toLowerCase()))
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-binary ${text === null || text.startsWith("@") ? "@-" : quoted(text)}`,
    quoted(url),
  ];
  const command = parts.join(" \\\n  ");
  return parts.includes("--data-binary @-")
    ? `echo ${body.toString("base64")} | base64 -d | ${command}`
    : command;
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

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
