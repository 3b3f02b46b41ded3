import assert from "node:assert/strict";
import { test } from "node:test";

import { createFetchHandler } from "./fetch.ts";
import { signTestRequest } from "./testing.ts";

const SECRET = "k7Qm2XvB9sLtYwR4nHcJ6pZdGfA8eUx1iOoK3MqVbNyT5WhC";

function request(): Request {
  const signed = signTestRequest({ event: "ping", secret: SECRET });
  return new Request(signed.url, signed);
}

async function told(response: Response): Promise<unknown[]> {
  return [response.status, await response.text()];
}

const never = () => assert.fail("onEvent was entered");

test("a right request becomes a 204, an answer's headers included", async () => {
  const onEvent = () => ({ headers: { "x-seen": "1" } });
  const response = await createFetchHandler({ secrets: SECRET, onEvent })(request());
  assert.equal(response.headers.get("x-seen"), "1");
  assert.deepEqual(await told(response), [204, ""]);
});

test("a forged request becomes a 401", async () => {
  const handle = createFetchHandler({ secrets: "another", onEvent: never });
  assert.deepEqual(await told(await handle(request())), [401, "signature_mismatch\n"]);
});

test("a body that was used or is being read is refused", async () => {
  const handle = createFetchHandler({ secrets: SECRET, onEvent: never });
  const used = request();
  await used.json();
  const locked = request();
  locked.body?.getReader();
  for (const gone of [used, locked]) {
    assert.deepEqual(await told(await handle(gone)), [500, "raw_body_missing\n"]);
  }
});

test("a body over the limit is refused, and a missing one is read as empty", async () => {
  const handle = createFetchHandler({ secrets: SECRET, onEvent: never, maxBytes: 100 });
  assert.deepEqual(await told(await handle(request())), [413, "request_body_too_large\n"]);
  const { url, headers } = request();
  const empty = new Request(url, { method: "POST", headers });
  assert.deepEqual(await told(await handle(empty)), [401, "signature_mismatch\n"]);
});

test("a body that breaks off enters no handler and does not reject", async () => {
  const handle = createFetchHandler({ secrets: SECRET, onEvent: never });
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
  // duplex is needed for streams and missing in the type.
  const init = { method: "POST", body, duplex: "half" } as RequestInit;
  const response = await handle(new Request("https://receiver.example/", init));
  assert.equal(response.status, 400);
});
