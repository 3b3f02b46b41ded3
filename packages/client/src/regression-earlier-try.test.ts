import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createClient } from "./create-client.ts";
import { UnreachableError } from "./errors.ts";

/** The error told of the last try alone: an event that an earlier try had brought there was said to have not arrived. */
test("an earlier try that may have arrived is told, although the last one was refused", async () => {
  const server = createServer((request) => {
    server.close();
    request.socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // It listens on a port.
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
