import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { jsonObject } from "@markethook/protocol";
import type { Header } from "../options/option-values.ts";
import { readBody } from "../recording.ts";

/** A request ready to be sent. */
export interface TriggeredRequest {
  url: string;
  /** In wire order, `Host` and `Content-Length` included. */
  headers: readonly Header[];
  body: Buffer;
}

/** The event's name, for a headline; never trusted. */
export function eventOf({ body }: TriggeredRequest): string | null {
  const { event } = jsonObject(body.toString()) ?? {};
  return typeof event === "string" ? event : null;
}

export type Answer =
  | { status: number; reason: string; headers: readonly string[]; body: Buffer | null; ms: number }
  /** None came; a sentence says why. */
  | { error: string; ms: number };

/** More of an answer is not read. */
const LARGEST_ANSWER = 64 * 1024;

/** Sends it once and follows nothing. Never throws: what a receiver does wrong is a result. */
export async function send(
  request: TriggeredRequest,
  timeoutMs: number,
  interrupted: AbortSignal,
): Promise<Answer> {
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  const tooLate = AbortSignal.timeout(timeoutMs);
  try {
    const response = await exchange(request, AbortSignal.any([tooLate, interrupted]));
    const body = await readBody(response, LARGEST_ANSWER);
    return {
      status: response.statusCode ?? 0,
      reason: response.statusMessage ?? "",
      headers: response.rawHeaders,
      body,
      ms: elapsed(),
    };
  } catch (error) {
    const late = `The receiver did not answer in full within ${timeoutMs} ms.`;
    return { error: tooLate.aborted ? late : sentence(error, request.url), ms: elapsed() };
  }
}

export function isSuccess(answer: Answer): boolean {
  return "status" in answer && answer.status >= 200 && answer.status < 300;
}

async function exchange(
  { url, headers, body }: TriggeredRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const start = new URL(url).protocol === "https:" ? requestSecure : requestPlain;
  return await new Promise((resolve, reject) => {
    const sending = start(url, { method: "POST", setHost: false, agent: false, signal });
    // One by one, so that a repeated header of a recording stays repeated.
    for (const [name, values] of grouped(headers))
      sending.setHeader(name, values.length === 1 ? (values[0] ?? "") : values);
    sending.on("response", resolve).on("error", reject);
    sending.end(body);
  });
}

function grouped(headers: TriggeredRequest["headers"]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, value] of headers) groups.set(name, [...(groups.get(name) ?? []), value]);
  return groups;
}

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing listens there: the connection was refused.",
  ENOTFOUND: "There is no host of that name.",
  EAI_AGAIN: "The host's name could not be looked up now.",
  ECONNRESET: "The receiver closed the connection without an answer.",
  EHOSTUNREACH: "There is no way to that host.",
  ENETUNREACH: "There is no way to that network.",
  ETIMEDOUT: "The host did not answer.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The receiver's certificate is self-signed.",
  CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate is for another host name.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The receiver's certificate comes without its chain.",
};

function sentence(error: unknown, url: string): string {
  if (!(error instanceof Error)) return String(error);
  const { code = "" } = error as NodeJS.ErrnoException;
  const known = SENTENCES[code];
  if (known !== undefined) return `${new URL(url).host}: ${known} [${code}]`;
  if (code.startsWith("HPE_")) return `The answer is not HTTP: ${error.message}.`;
  if (code.startsWith("ERR_SSL") || code === "EPROTO") return "The port does not speak TLS.";
  return error.message;
}
