import type { Output } from "./output.ts";
import { visible, visibleLines } from "./visible-text.ts";
import type { components } from "@markethook/client";
import type { Branch } from "./tree.ts";

/** A body for the eye: JSON on lines of its own, other text as it is, bytes by their number. Never for verifying. */
export function prettyBody(body: Uint8Array, most = Infinity): string {
  if (body.length === 0) return "(no body)";
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return `(${body.length} bytes that are not UTF-8)`;
  }
  return cut(visibleLines(printed(text)), most);
}

/** Of a request or an answer. */
export function headerLine([name = "", value = ""]: readonly string[], out: Output): string {
  return `${out.style("dim", `${visible(name)}:`)} ${visible(value)}`;
}

export function indented(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}

function printed(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function cut(text: string, most: number): string {
  return text.length <= most
    ? text
    : `${text.slice(0, most)}… (${text.length - most} more characters)`;
}

type Schemas = components["schemas"];
type SentRequest = Schemas["SentRequest"];
type ReceivedResponse = Schemas["ReceivedResponse"];
interface Exchange {
  sent: boolean;
  request: SentRequest | null;
  response: ReceivedResponse | null;
}
type Timings = Schemas["Timings"];

/** The request as it went out, if it did, and what came back, for the tree of an attempt or a ping. */
export function exchangeBranches({ sent, request, response }: Exchange, out: Output): Branch[] {
  if (!sent) return [{ text: "not sent" }];
  return [
    ...(request === null ? [] : [{ text: requestText(request, out) }]),
    { text: response === null ? "no answer" : responseText(response, out) },
  ];
}

/** More of a reply is not shown on its line. */
const MOST_OF_REPLY = 300;
const LIKELY_SIGNATURE =
  "Most likely the signature did not fit: give `markethook verify --explain` what the server got, and its secret.";

interface UnacceptedPing {
  outcome: string;
  status: number | null;
  response: { body: string | null } | null;
}

/** Below a ping that was not accepted: what the server replied, and what to do about a refusal. */
export function unacceptedBranches({ outcome, status, response }: UnacceptedPing): Branch[] {
  const text = (response?.body ?? "").trim().slice(0, MOST_OF_REPLY).toWellFormed();
  // A chat's replies have other outcomes.
  const isRefusal = outcome === "http_error" && (status === 401 || status === 403);
  return [
    ...(text === "" ? [] : [{ text: `replied  ${visible(text)}` }]),
    ...(isRefusal ? [{ text: LIKELY_SIGNATURE }] : []),
  ];
}

/** Where the time went, e.g. `12 ms: dns 1, connect 2, first byte 11`. */
export function timingsText(timings: Timings | null): string {
  if (timings === null) return "";
  const parts = [
    ["dns", timings.dnsMs],
    ["connect", timings.connectMs],
    ["tls", timings.tlsMs],
    ["first byte", timings.firstByteMs],
  ] as const;
  const known = parts.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${rounded(ms)}`]));
  const total = `${rounded(timings.totalMs)} ms`;
  return known.length === 0 ? total : `${total}: ${known.join(", ")}`;
}

function requestText({ method, url, headers, body }: SentRequest, out: Output): string {
  // The body is shown on one line, as it was sent: what is signed are these very bytes.
  return [
    `${out.style("bold", visible(method))} ${visible(url)}`,
    ...headers.map((header) => headerLine(header, out)),
    "",
    visible(body),
  ].join("\n");
}

function responseText(response: ReceivedResponse, out: Output): string {
  const { status, headers, body, bodyBase64, bodyTruncated } = response;
  const shown =
    bodyBase64 === undefined ? visibleLines(body ?? "").replace(/\n$/, "") : `base64 ${bodyBase64}`;
  const cut = bodyTruncated === true ? ["(the rest was not kept)"] : [];
  return [
    out.style(status >= 200 && status < 300 ? "green" : "red", String(status)),
    ...headers.map((header) => headerLine(header, out)),
    ...(shown === "" ? [] : ["", shown]),
    ...cut,
  ].join("\n");
}

function rounded(ms: number): string {
  return String(Math.round(ms * 10) / 10);
}
