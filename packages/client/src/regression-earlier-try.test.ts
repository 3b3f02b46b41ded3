import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { createClient } from "./create-client.ts";
import { UnreachableError } from "./errors.ts";
import { against } from "./testing/against.ts";
import { problem } from "./testing/scripted-server.ts";

/** The error told of the last try alone: an event that an earlier try had brought there was said to have not arrived. */
test("an earlier try that may have arrived is told, although the last one was refused", async () => {
  const server = createServer((request) => {
    server.close();
    request.socket.destroy();
  });
  const port = await listenOnLoopback(server);
  const baseUrl = `http://127.0.0.1:${port}`;
  const client = createClient({ baseUrl, apiKey: "mh_test", retries: 1, backoffMs: 1 });
  const purchase = { event: "product.user.purchase", user: { id: 1 } } as const;
  const arrived = (mayHaveArrived: boolean) => (error: unknown) =>
    error instanceof UnreachableError &&
    error.reason === "refused" &&
    error.mayHaveArrived === mayHaveArrived;
  await assert.rejects(client.events.report("castle", purchase), arrived(true));
  await assert.rejects(client.events.report("castle", purchase), arrived(false));
});

test("a try that was refused as too many, or as too slow, did nothing: what was not there is not said to be deleted", async (t) => {
  const { server, client } = await against(t, [
    (response) => void response.writeHead(429, { "retry-after": "0" }).end(),
    // It was not repeated. A process with ten thousand requests at once lost those that it was too busy to send.
    problem(408, "request_timeout"),
    problem(404, "not_found"),
  ]);
  await assert.rejects(client.webhooks.delete("wh_mistyped"), { code: "not_found" });
  assert.equal(server.seen.length, 3);
});
