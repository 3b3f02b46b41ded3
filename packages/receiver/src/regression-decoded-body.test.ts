/** Where something before the handler had a request read as text, any request ended the receiver's process. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { listenOnLoopback } from "@markethook/protocol/testing";

import { createExpressHandler } from "./express.ts";
import { createNodeHandler } from "./node.ts";
import { signTestRequest } from "./testing.ts";

const SECRET = "k7Qm2XvB9sLtYwR4nHcJ6pZdGfA8eUx1iOoK3MqVbNyT5WhC";
const options = { secrets: SECRET, onEvent: () => undefined };
const HOSTS = [
  ["node", createNodeHandler(options)],
  ["Express", createExpressHandler(options)],
] as const;

for (const [name, handle] of HOSTS) {
  test(`a request that is read as text is refused, because its bytes are gone: ${name}`, async (t) => {
    const server = createServer((request, response) => {
      request.setEncoding("utf8").on("data", () => undefined);
      void handle(request, response);
    });
    const port = await listenOnLoopback(server);
    t.after(() => server.close());
    const { headers, body } = signTestRequest({ event: "ping", secret: SECRET });
    const url = `http://127.0.0.1:${port}/`;
    const init = { method: "POST", headers: { ...headers, connection: "close" }, body };
    const answer = await fetch(url, init);
    assert.deepEqual([answer.status, await answer.text()], [500, "raw_body_missing\n"]);
  });
}
