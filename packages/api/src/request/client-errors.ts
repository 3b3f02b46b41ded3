import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "@markethook/protocol";
import type { LatestAnswers } from "./connections/watch-connections.ts";
import { makeProblem, type Problem, PROBLEM_CONTENT_TYPE, statusText } from "./problem.ts";

/** Node's errors for requests that could not be parsed. All others are `request_malformed`. */
const CLIENT_CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
  HPE_HEADER_OVERFLOW: "headers_too_large",
};

/**
 * Answers on the raw socket, because there is no response to write to, and closes it within the grace. It does not
 * answer while the socket's latest request is open, or its body is malformed: our answer would be read as the answer to
 * that request.
 */
export function createClientErrorHandler(
  nextRequestId: () => string,
  latest: LatestAnswers,
  graceMs: number,
) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const last = latest.get(socket);
    if (last?.headersSent === false && last.req.complete) {
      last.once("close", () => closeSoon(socket, graceMs));
      return;
    }
    const isOver = last?.shouldKeepAlive === false || last?.getHeader("connection") === "close";
    if (last?.headersSent === true && (isOver || !last.req.complete)) {
      closeSoon(socket, graceMs);
      return;
    }
    const code = CLIENT_CODES[error.code ?? ""] ?? "request_malformed";
    endWithProblem(socket, graceMs, makeProblem(code, nextRequestId()));
  };
}

/** For CONNECT, which Node would answer by closing. */
export function createConnectHandler(nextRequestId: () => string, graceMs: number) {
  return (_request: IncomingMessage, socket: Duplex): void => {
    socket.on("error", () => socket.destroy());
    endWithProblem(socket, graceMs, makeProblem("method_not_allowed", nextRequestId()));
  };
}

function endWithProblem(socket: Duplex, graceMs: number, problem: Problem): void {
  const body = JSON.stringify(problem);
  closeSoon(
    socket,
    graceMs,
    [
      `HTTP/1.1 ${problem.status} ${statusText(problem.status) ?? ""}`,
      `Content-Type: ${PROBLEM_CONTENT_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

/** For `Expect` with anything but `100-continue`, which Node would answer without a body. */
export function createExpectationHandler(nextRequestId: () => string) {
  return (_request: IncomingMessage, response: ServerResponse): void => {
    const problem = makeProblem("header_invalid", nextRequestId(), { pointer: "expect" });
    const body = JSON.stringify(problem);
    response
      .writeHead(problem.status, {
        "content-type": PROBLEM_CONTENT_TYPE,
        "content-length": Buffer.byteLength(body),
        connection: "close",
      })
      .end(body);
  };
}

/**
 * Ends a connection, after these bytes if there are any. A client that does not end it too within the grace is cut.
 * HTTP sockets may be half open, so otherwise it could keep the descriptor for any time.
 */
function closeSoon(socket: Duplex, graceMs: number, bytes?: string): void {
  if (bytes === undefined) socket.end();
  else socket.end(bytes);
  const timer = setTimeout(() => socket.destroy(), graceMs);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}
