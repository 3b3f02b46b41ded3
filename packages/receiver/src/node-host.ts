import type { IncomingMessage, ServerResponse } from "node:http";

import type { createHandler, ReadBody } from "./create-handler.ts";
import { GrowingBytes } from "./growing-bytes.ts";
import type { ReceivedHeaders } from "./headers.ts";

/**
 * Unlike `headers`, `headersDistinct` keeps a repeated header apart. Requests that Node's own server did not make, as
 * in serverless functions and over HTTP/2, have only `headers`.
 */
function headersOf(request: IncomingMessage): ReceivedHeaders {
  const distinct: IncomingMessage["headersDistinct"] | undefined = request.headersDistinct;
  const isMissing = distinct === undefined || Object.keys(distinct).length === 0;
  return isMissing ? request.headers : distinct;
}

/** The request's bytes, or why there are none. Keeps at most `maxBytes`. */
export function readStream(request: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  // An empty body that somebody else has read never showed data, but has ended. With an encoding it comes as text.
  if (
    request.readableDidRead ||
    request.readableEnded ||
    typeof request.readableEncoding === "string"
  ) {
    return Promise.resolve({ kind: "consumed" });
  }
  if (request.destroyed) return Promise.resolve({ kind: "aborted" });
  const announced = Number(request.headers["content-length"]);
  if (announced > maxBytes) {
    return Promise.resolve({ kind: "too_large" });
  }
  // Not Promise.withResolvers, which Node 20 lacks.
  let resolve: (read: ReadBody) => void = () => undefined;
  const promise = new Promise<ReadBody>((resolvePromise) => (resolve = resolvePromise));
  const body = new GrowingBytes(maxBytes, announced);
  const finish = (read: ReadBody): void => {
    request.off("data", onData).off("end", onEnd).off("close", onGone);
    resolve(read);
  };
  const onData = (chunk: Buffer): void => {
    if (body.size + chunk.length <= maxBytes) {
      body.add(chunk);
    } else {
      request.pause();
      finish({ kind: "too_large" });
    }
  };
  const onEnd = (): void => finish({ kind: "bytes", bytes: body.bytes });
  const onGone = (): void => finish({ kind: "aborted" });
  // The error listener stays: a socket may break after the body was given up.
  request.on("data", onData).on("end", onEnd).on("close", onGone).on("error", onGone);
  return promise;
}

/** Answers a request as the handler says. */
export async function answerRequest(
  handle: ReturnType<typeof createHandler>,
  request: IncomingMessage,
  response: ServerResponse,
  readBody: (maxBytes: number) => Promise<ReadBody>,
): Promise<void> {
  const { method = "" } = request;
  const answer = await handle({ method, headers: headersOf(request), readBody });
  // Null where nobody waits for an answer.
  if (answer === null || response.headersSent || response.destroyed) return;
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  // Unread bytes must not be taken for the next request on this connection.
  if (!request.complete) response.setHeader("connection", "close");
  response.end(answer.body);
}
