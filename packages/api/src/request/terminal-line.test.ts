import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createTestApp, type TestApp } from "../testing/test-app.ts";

let api: TestApp;
before(async () => {
  api = await createTestApp();
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
