import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "@markethook/protocol";
import { makeProblem, PROBLEM_CONTENT_TYPE, type Problem } from "./problem.ts";

/** Node's errors for requests that never became one. Everything else is malformed. */
const CLIENT_CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
  HPE_HEADER_OVERFLOW: "headers_too_large",
};

/**
 * Answers on the bare socket, because there is no response to write to. `lastAnswers`: of the latest request of each
 * socket. While that one is open, or its body is what is malformed, an answer of ours would be taken for another's.
 */
export function createClientErrorHandler(
  nextRequestId: () => string,
  lastAnswers: { get(socket: Socket): ServerResponse | undefined },
) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const last = lastAnswers.get(socket);
    if (last?.headersSent === false && last.req.complete) {
      last.once("close", () => socket.end());
      return;
    }
    const isOver = last?.shouldKeepAlive === false || last?.getHeader("connection") === "close";
    if (last?.headersSent === true && (isOver || !last.req.complete)) {
      socket.end();
      return;
    }
    const code = CLIENT_CODES[error.code ?? ""] ?? "request_malformed";
    endWithProblem(socket, makeProblem(code, nextRequestId()));
  };
}

/** For CONNECT, which Node would answer by hanging up. */
export function createConnectHandler(nextRequestId: () => string) {
  return (_request: IncomingMessage, socket: Duplex): void => {
    socket.on("error", () => socket.destroy());
    endWithProblem(socket, makeProblem("method_not_allowed", nextRequestId()));
  };
}

function endWithProblem(socket: Duplex, problem: Problem): void {
  const body = JSON.stringify(problem);
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ""}`,
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
