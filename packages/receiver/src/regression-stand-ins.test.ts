/** In serverless functions and over HTTP/2 every request was refused, because its headers were looked for in one place only. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { connect, createServer } from "node:http2";
import { Socket } from "node:net";
import { test } from "node:test";

import { listenOnLoopback } from "@markethook/protocol/testing";

import { createExpressHandler } from "./express.ts";
import { createNodeHandler } from "./node.ts";
import { signTestRequest } from "./testing.ts";

const SECRET = "k7Qm2XvB9sLtYwR4nHcJ6pZdGfA8eUx1iOoK3MqVbNyT5WhC";
const signed = signTestRequest({ event: "ping", secret: SECRET });
const options = { secrets: SECRET, onEvent: () => undefined };
const HOSTS = [
  ["node", createNodeHandler(options)],
  ["Express", createExpressHandler(options)],
] as const;

/** As the packages that run an Express app in a serverless function make it. */
function standIn(headers: Record<string, string>): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.push(signed.body);
  request.push(null);
  return Object.assign(request, { complete: true, method: "POST", url: "/", headers });
}

const lowerCase = Object.fromEntries(
  Object.entries(signed.headers).map(([name, value]) => [name.toLowerCase(), value]),
);

for (const [name, handle] of HOSTS) {
  test(`a request that stands in for one of Node's server is verified: ${name}`, async () => {
    const request = standIn(lowerCase);
    const response = new ServerResponse(request);
    await handle(request, response);
    assert.equal(response.statusCode, 204);
  });

  test(`a header that such a request has joined from two is refused: ${name}`, async () => {
    const header = "x-service-signature";
    const twice = `${lowerCase[header]}, ${lowerCase[header]}`;
    const request = standIn({ ...lowerCase, [header]: twice });
    const response = new ServerResponse(request);
    await handle(request, response);
    assert.equal(response.statusCode, 401);
  });
}

test("a request over HTTP/2 is verified", async (t) => {
  // Its request and response have what the handler uses of HTTP/1.1's.
  const listener = createNodeHandler(options) as unknown as Parameters<typeof createServer>[1];
  const server = createServer({}, listener);
  const session = connect(`http://127.0.0.1:${await listenOnLoopback(server)}`);
  t.after(() => {
    session.destroy();
    server.close();
  });
  const stream = session.request({ ":method": "POST", ":path": "/", ...lowerCase });
  stream.end(signed.body);
  const [answer] = await once(stream, "response");
  assert.equal(answer[":status"], 204);
});
