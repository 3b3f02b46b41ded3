import assert from "node:assert/strict";
import { createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { createClient } from "./create-client.ts";
import { ApiError, UnexpectedAnswerError } from "./errors.ts";
import { answerJson, problem, type Step, startScriptedServer } from "./testing/scripted-server.ts";

async function clientOf(t: TestContext, step: Step) {
  const server = await startScriptedServer([step]);
  t.after(() => server.close());
  return createClient({ baseUrl: `${server.url}/v1/`, apiKey: "mh_test", retries: 0 });
}

test("a problem document becomes an ApiError with all that it says", async (t) => {
  const client = await clientOf(
    t,
    answerJson(
      422,
      {
        type: "/docs/errors#field_invalid",
        title: "A field is wrong.",
        status: 422,
        code: "field_invalid",
        detail: "See the pointer.",
        pointer: "/title",
        requestId: "req_7",
        errors: [{ code: "field_invalid", pointer: "/title", detail: "Too long." }],
      },
      { "content-type": "application/problem+json", "retry-after": "7" },
    ),
  );
  await assert.rejects(client.resources.put("castle", { title: "", ownerId: "o" }), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual(
      [error.code, error.status, error.pointer, error.requestId, error.retryAfterSeconds],
      ["field_invalid", 422, "/title", "req_7", 7],
    );
    assert.equal(error.errors.length, 1);
    assert.match(error.message, /A field is wrong\. See the pointer\. \[field_invalid \(\/title\)/);
    return true;
  });
});

test("a fault of the service is an ApiError too, and is not tried again", async (t) => {
  const client = await clientOf(t, problem(500, "internal"));
  await assert.rejects(client.health(), { name: "ApiError", code: "internal", status: 500 });
});

const html: Step = (response) =>
  void response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");

test("a proxy's error page is told as such", async (t) => {
  const client = await clientOf(t, html);
  await assert.rejects(client.webhooks.get("wh_a"), (error) => {
    assert.ok(error instanceof UnexpectedAnswerError);
    assert.equal(error.status, 502);
    assert.equal(error.text, "<h1>Bad gateway</h1>");
    assert.match(error.message, /answered 502 with text\/html where JSON was expected/);
    return true;
  });
});

test("JSON of somebody else's making, and what only claims to be JSON, are not taken for answers", async (t) => {
  const foreign = await clientOf(t, answerJson(400, { error: "nope" }));
  await assert.rejects(foreign.health(), { name: "UnexpectedAnswerError", status: 400 });
  const broken = await clientOf(
    t,
    (response) =>
      void response.writeHead(200, { "content-type": "application/json" }).end('{"status":'),
  );
  await assert.rejects(broken.health(), { name: "UnexpectedAnswerError" });
});

test("an answer that reports no event as stored is not taken for one", async (t) => {
  const event = { event: "product.user.purchase", user: { id: 1 } } as const;
  const empty: Step = (response) => void response.writeHead(204).end();
  const nothing: Step = (response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end();
  const others = [200, 202].flatMap((status) => [
    answerJson(status, { ok: true }),
    answerJson(status, null),
  ]);
  for (const step of [...others, empty, nothing]) {
    const client = await clientOf(t, step);
    await assert.rejects(client.events.report("castle", event), { name: "UnexpectedAnswerError" });
    const many = await client.events.reportMany([{ resourceId: "castle", ...event }]);
    assert.equal(many.failed, 1);
    await assert.rejects(client.apiKeys.list(), { name: "UnexpectedAnswerError" });
  }
});

test("a redirect is not followed, and the key goes nowhere else", async (t) => {
  const client = await clientOf(
    t,
    (response) => void response.writeHead(301, { location: "https://elsewhere.example/" }).end(),
  );
  await assert.rejects(client.health(), {
    name: "UnexpectedAnswerError",
    message: /redirects to https:\/\/elsewhere\.example\/\. Set baseUrl/,
  });
});

test("an unknown host name is told in plain words", async () => {
  const client = createClient({
    baseUrl: "https://hooks.example",
    apiKey: null,
    retries: 0,
    // As Node's fetch does, without asking a name server.
    fetch: async () => {
      throw new TypeError("fetch failed", {
        cause: Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" }),
      });
    },
  });
  await assert.rejects(client.health(), {
    name: "UnreachableError",
    reason: "name_unknown",
    mayHaveArrived: false,
    message: /https:\/\/hooks\.example cannot be reached: the host's name is not known/,
  });
});

test("a port without TLS is told in plain words, and not asked again", async (t) => {
  const plain = createServer((socket) =>
    socket.on("error", () => {}).end("HTTP/1.1 400 No\r\n\r\n"),
  );
  const port = await listenOnLoopback(plain);
  t.after(() => plain.close());
  const tls = createClient({ baseUrl: `https://127.0.0.1:${port}`, apiKey: null });
  await assert.rejects(tls.health(), { name: "UnreachableError", reason: "tls" });
});

test("a base URL that is none is refused at once", () => {
  for (const baseUrl of ["hooks.example", "ftp://hooks.example", "http://", "https://a/?b"]) {
    assert.throws(
      () => createClient({ baseUrl, apiKey: null }),
      /baseUrl is the service's address/,
    );
  }
});

test("a client without a key is not made, so that a forgotten variable is noticed at the start", () => {
  const baseUrl = "https://hooks.market.example";
  assert.throws(() => createClient({ baseUrl, apiKey: "" }), /apiKey is empty/);
  assert.doesNotThrow(() => createClient({ baseUrl, apiKey: null }));
});
