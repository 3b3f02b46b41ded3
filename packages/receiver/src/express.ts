import type { IncomingMessage, ServerResponse } from "node:http";

import { createHandler, type HandlerOptions, type ReadBody } from "./create-handler.ts";
import { answerRequest, readStream } from "./node-host.ts";

/** The needed part of Express's request; any framework on top of Node's will do. */
export interface ExpressRequest extends IncomingMessage {
  /** The result of a body parser: a Buffer after `express.raw()`. */
  body?: unknown;
}

/**
 * A route handler: `app.post("/webhooks", createExpressHandler({...}))`, before any JSON body parser or behind
 * `express.raw()`. A body that was parsed is refused with `raw_body_missing`, because its bytes are gone. Throws
 * `MarkethookError` `secret_missing` when made without a secret.
 */
export function createExpressHandler(
  options: HandlerOptions,
): (request: ExpressRequest, response: ServerResponse) => Promise<void> {
  const handle = createHandler(options);
  return async (request, response) =>
    await answerRequest(handle, request, response, (maxBytes) => readBody(request, maxBytes));
}

function readBody(request: ExpressRequest, maxBytes: number): Promise<ReadBody> {
  const { body } = request;
  if (Buffer.isBuffer(body)) {
    return Promise.resolve(
      body.length > maxBytes ? { kind: "too_large" } : { kind: "bytes", bytes: body },
    );
  }
  if (body === undefined || body === null) return readStream(request, maxBytes);
  // Express 4's parsers leave `{}` on requests that they did not read.
  const isRead = typeof body !== "object" || Object.keys(body).length > 0;
  return isRead ? Promise.resolve({ kind: "consumed" }) : readStream(request, maxBytes);
}
