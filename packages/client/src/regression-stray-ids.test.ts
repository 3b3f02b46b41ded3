import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "./errors.ts";
import { against } from "./testing/against.ts";
import { answerJson } from "./testing/scripted-server.ts";

/** `..` as an id reached another route: `webhooks.get("..")` gave the API's first page, and no error. */
test("an id that is a step in an address is refused without a request", async (t) => {
  const { server, client } = await against(t, [answerJson(200, { service: "markethook" })]);
  const purchase = { event: "product.user.purchase", user: { id: 1 } } as const;
  const refused = (code: string) => (error: unknown) =>
    error instanceof ApiError && error.code === code && error.message.endsWith(`[${code} (/id)]`);
  for (const id of [".", ".."]) {
    await assert.rejects(client.webhooks.get(id), refused("not_found"));
    await assert.rejects(client.webhooks.delete(id), refused("not_found"));
    await assert.rejects(client.events.report(id, purchase), refused("resource_id_invalid"));
    await assert.rejects(client.resources.delete(id), refused("resource_id_invalid"));
  }
  assert.deepEqual(server.seen, []);
});

test("an id with dots and other signs is sent as it is", async (t) => {
  const { server, client } = await against(t, [answerJson(200, { id: "x" })]);
  for (const id of ["...", "..a", "a/../b", "a b"]) await client.resources.get(id);
  assert.deepEqual(
    server.seen.map(({ url }) => url),
    ["...", "..a", "a%2F..%2Fb", "a%20b"].map((id) => `/v1/resources/${id}`),
  );
});
