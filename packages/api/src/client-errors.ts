import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ErrorCode } from "@markethook/protocol";
import { makeProblem, PROBLEM_CONTENT_TYPE } from "./problem.ts";

/** Node's errors for requests that never became one. Everything else is malformed. */
const CLIENT_CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
  HPE_HEADER_OVERFLOW: "headers_too_large",
};

/** Answers on the bare socket, because there is no response to write to. */
export function createClientErrorHandler(nextRequestId: () => string) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const code = CLIENT_CODES[error.code ?? ""] ?? "request_malformed";
    const problem = makeProblem(code, nextRequestId());
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
  };
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
