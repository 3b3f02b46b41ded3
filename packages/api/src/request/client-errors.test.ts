import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { createTestApp, type TestApp } from "../testing/test-app.ts";

let api: TestApp;
let port: number;
before(async () => {
  api = await createTestApp();
  port = Number(new URL(await api.app.listen({ host: "127.0.0.1", port: 0 })).port);
});
after(() => api.app.close());

/** Status, and the problem, of the answer to these bytes. */
async function exchange(
  bytes: string,
): Promise<{ status: number; problem: Record<string, unknown> }> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(bytes);
  const answer = await text(socket);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  assert.match(head, /content-type: application\/problem\+json/i);
  return { status: Number(head.split(" ")[1]), problem: JSON.parse(body) };
}

test("bytes that are not HTTP are answered with a problem", async () => {
  const { status, problem } = await exchange("hello\r\n\r\n");
  assert.deepEqual([status, problem["code"]], [400, "request_malformed"]);
});

test("two contradicting lengths are malformed, not smuggled", async () => {
  const { problem } = await exchange(
    "POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  );
  assert.equal(problem["code"], "request_malformed");
});

test("headers above 16 KiB are too large", async () => {
  const { status, problem } = await exchange(
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(20_000)}\r\n\r\n`,
  );
  assert.deepEqual([status, problem["code"]], [431, "headers_too_large"]);
});

test("an expectation that nobody knows is answered with a problem", async () => {
  const { status, problem } = await exchange(
    "GET / HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n",
  );
  assert.deepEqual(
    [status, problem["code"], problem["pointer"]],
    [400, "header_invalid", "expect"],
  );
});

test("a request without a Host header is answered with a problem", async () => {
  const { status, problem } = await exchange("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n");
  assert.deepEqual([status, problem["code"]], [400, "request_malformed"]);
});

test("what is malformed after a request that is still worked on is not answered before it", async () => {
  const accept = api.world.accept;
  let answer = (): void => {};
  const reached = new Promise<void>((resolve) => {
    api.world.accept = async (items) => {
      resolve();
      await new Promise<void>((go) => (answer = go));
      return await accept(items);
    };
  });
  await api.store.resources.put([{ id: "m", ownerId: "o", title: "T", subtitle: "" }]);
  const body = '{"event":"product.user.purchase","user":{"id":1}}';
  const socket = connect(port, "127.0.0.1");
  socket.write(
    `POST /v1/resources/m/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}nonsense\r\n\r\n`,
  );
  await reached;
  answer();
  const answers = await text(socket);
  api.world.accept = accept;
  assert.match(answers, /^HTTP\/1\.1 202 /);
  assert.equal(answers.split("HTTP/1.1").length, 2);
});
