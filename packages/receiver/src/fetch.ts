import { createHandler, type HandlerOptions, type ReadBody } from "./create-handler.ts";
import { GrowingBytes } from "./growing-bytes.ts";

/**
 * `Request` in, `Response` out, for hosts that speak fetch. The promise never rejects. Throws `MarkethookError`
 * `secret_missing` when made without a secret.
 */
export function createFetchHandler(
  options: HandlerOptions,
): (request: Request) => Promise<Response> {
  const handle = createHandler(options);
  return async (request) => {
    const answer = await handle({
      method: request.method,
      headers: request.headers,
      readBody: (maxBytes) => readBody(request, maxBytes),
    });
    // Nobody will see it, but the host wants a Response.
    if (answer === null) return new Response(null, { status: 400 });
    const body = answer.body === "" ? null : answer.body;
    return new Response(body, { status: answer.status, headers: { ...answer.headers } });
  };
}

async function readBody(request: Request, maxBytes: number): Promise<ReadBody> {
  if (request.bodyUsed || request.body?.locked === true) return { kind: "consumed" };
  if (request.body === null) return { kind: "bytes", bytes: new Uint8Array() };
  const reader = request.body.getReader();
  const body = new GrowingBytes(maxBytes, Number(request.headers.get("content-length")));
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { kind: "bytes", bytes: body.bytes };
      if (body.size + value.length > maxBytes) {
        // Not waited for: a host may finish the cancelling only when the sender has gone.
        reader.cancel().catch(() => undefined);
        return { kind: "too_large" };
      }
      body.add(value);
    }
  } catch {
    return { kind: "aborted" };
  }
}
