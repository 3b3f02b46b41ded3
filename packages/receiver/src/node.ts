import type { IncomingMessage, ServerResponse } from "node:http";

import { createHandler, type HandlerOptions } from "./create-handler.ts";
import { answerRequest, readStream } from "./node-host.ts";

export { type NodeVerifyOptions, verify, verifyOrThrow } from "./verify-sync.ts";

/**
 * A listener for `http.createServer`. The promise resolves when the answer has been handed to Node and never
 * rejects. Throws `MarkethookError` `secret_missing` when made without a secret.
 */
export function createNodeHandler(
  options: HandlerOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const handle = createHandler(options);
  return async (request, response) =>
    await answerRequest(handle, request, response, (maxBytes) => readStream(request, maxBytes));
}
