import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { chosenEncoding } from "./outgoing-answers.ts";
import { createTestApp, type TestApp } from "../testing/test-app.ts";
import { purchase, TestSender } from "../testing/test-sender.ts";

let api: TestApp;
let sender: TestSender;
beforeEach(async () => {
  api = await createTestApp();
  sender = new TestSender(api.store);
  const { resources, webhooks, log } = api.store;
  await log.ensureProfile({ serviceName: "Service", userAgent: "Markethook/1" });
  await resources.put([{ id: "map-1", ownerId: "o-1", title: "T", subtitle: "" }]);
  const input = { url: "https://r.example/", events: null, description: "", resourceId: "map-1" };
  await webhooks.create({ ...input, id: "wh_1", format: "json", secret: "s" }, null);
});

const get = async (url: string, accepts?: string) =>
  await api.send({
    method: "GET",
    url,
    ...(accepts === undefined ? {} : { headers: { "accept-encoding": accepts } }),
  });

test("a long list is compressed for those who take it, and says the same", async () => {
  for (let userId = 1; userId <= 50; userId += 1) await sender.fail(purchase("map-1", userId));
  const plain = await get("/v1/deliveries");
  assert.equal(plain.headers["content-encoding"], undefined);
  assert.equal(plain.headers["vary"], "accept-encoding");
  for (const [accepts, encoding, open] of [
    ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
    ["gzip;q=1.0, br;q=0", "gzip", gunzipSync],
  ] as const) {
    const answer = await get("/v1/deliveries", accepts);
    assert.equal(answer.headers["content-encoding"], encoding);
    assert.equal(answer.headers["content-length"], String(answer.rawPayload.length));
    assert.equal(open(answer.rawPayload).toString(), plain.body);
    assert.ok(answer.rawPayload.length * 5 < plain.rawPayload.length);
  }
});

test("short answers, errors and answers that can hold a secret stay as they are", async () => {
  const short = await get("/v1/deliveries", "br");
  assert.equal(short.headers["content-encoding"], undefined);
  const details = JSON.stringify({ note: "a".repeat(5000) });
  const { id } = await sender.fail(purchase("map-1", 7, { details }));
  const one = await get(`/v1/deliveries/${id}`, "br");
  assert.ok(one.rawPayload.length > 5000);
  assert.deepEqual([one.headers["content-encoding"], one.headers["vary"]], [undefined, undefined]);
});

test("an encoding is chosen only where it is named and not refused", () => {
  for (const [header, expected] of [
    [undefined, null],
    ["", null],
    ["identity", null],
    ["*", null],
    ["gzip", "gzip"],
    ["GZIP , BR", "br"],
    ["br;q=0.000, gzip;q=0.5", "gzip"],
    ["br;q=0, gzip;q=0.0", null],
  ] as const) {
    assert.equal(chosenEncoding(header), expected, String(header));
  }
});

/** What a program of this name gets. */
async function body(agent: string | null, method: "GET" | "HEAD", url: string): Promise<string> {
  const headers = agent === null ? {} : { "user-agent": agent };
  const answer = await api.app.inject({ method, url, headers });
  if (method === "GET") {
    assert.equal(answer.headers["content-length"], String(Buffer.byteLength(answer.body)), url);
  }
  return answer.body;
}

test("JSON for curl and wget ends with a line break, answers and refusals alike", async () => {
  for (const agent of ["curl/8.5.0", "Wget/1.21"]) {
    for (const url of ["/", "/v1/webhooks", "/nowhere", "/v1/openapi.json"]) {
      const text = await body(agent, "GET", url);
      assert.match(text, /[^\n]\n$/, url);
      JSON.parse(text);
    }
  }
});

test("other programs, and what is no JSON, get no byte more", async () => {
  for (const agent of [null, "node", "Mozilla/5.0 curl/8", "undici"]) {
    assert.match(await body(agent, "GET", "/"), /\}$/);
  }
  assert.equal(await body("curl/8.5.0", "GET", "/metrics"), await body(null, "GET", "/metrics"));
  assert.equal(await body("curl/8.5.0", "HEAD", "/"), "");
});

test("/v1 says where things are, without a key, as / does", async () => {
  for (const url of ["/v1", "/v1/", "/"]) {
    const answer = await api.app.inject({ method: "GET", url });
    assert.equal(answer.statusCode, 200, url);
    assert.equal(answer.json().links.errors, "/docs/errors");
    assert.equal(answer.json().links.openapi, "/v1/openapi.json");
  }
});
