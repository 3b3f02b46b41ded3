import assert from "node:assert/strict";
import { test } from "node:test";
import { listOperations } from "../testing/listed-operations.ts";
import { createTestApp } from "../testing/test-app.ts";

const FOREIGN = {
  origin: "https://evil.example",
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": "cors",
};

test("no route grants anything to a page of another origin, asked before or with the request", async () => {
  const { app, key } = await createTestApp();
  for (const { method, path } of await listOperations(app)) {
    const url = path.replaceAll(/\{\w+\}/g, "x");
    const preflight = await app.inject({
      method: "OPTIONS",
      url,
      headers: { ...FOREIGN, "access-control-request-method": method },
    });
    assert.ok(preflight.statusCode >= 400, `${path}: ${preflight.statusCode}`);
    // The stream ends with its reader only; who may read it is tested with it.
    if (path.endsWith("/stream")) continue;
    const authorization = `Bearer ${key}`;
    const answer = await app.inject({ method, url, headers: { ...FOREIGN, authorization } });
    for (const { headers } of [preflight, answer]) {
      const granted = Object.keys(headers).filter((name) => name.startsWith("access-control-"));
      assert.deepEqual(granted, [], path);
    }
  }
});

test("what a browser sends by itself never authenticates: nothing changes without a bearer token", async (t) => {
  const { app, key, store } = await createTestApp();
  const lookUp = t.mock.method(store.apiKeys, "findByHash");
  const rides: Record<string, string>[] = [
    { cookie: `session=${key}; __Host-session=${key}` },
    { authorization: `Basic ${Buffer.from(`api:${key}`).toString("base64")}` },
  ];
  const changing = (await listOperations(app)).filter(
    ({ method, security }) => method !== "GET" && security.length > 0,
  );
  for (const { method, path } of changing) {
    const url = path.replaceAll(/\{\w+\}/g, "x");
    for (const headers of rides) {
      const { statusCode } = await app.inject({ method, url, headers: { ...FOREIGN, ...headers } });
      assert.equal(statusCode, 401, `${method} ${path}`);
    }
  }
  assert.equal(lookUp.mock.callCount(), 0);
});

test("no answer sets a cookie, and every one forbids to guess its type", async () => {
  const { app } = await createTestApp();
  for (const url of ["/", "/healthz", "/readyz", "/v1/openapi.json", "/v1/resources", "/none"]) {
    const { headers } = await app.inject(url);
    assert.equal(headers["set-cookie"], undefined, url);
    assert.equal(headers["x-content-type-options"], "nosniff", url);
  }
});

test("the page of error codes loads nothing, runs nothing and stands in no frame", async () => {
  const { app } = await createTestApp();
  const { headers, statusCode } = await app.inject("/docs/errors");
  assert.equal(statusCode, 200);
  const policy = String(headers["content-security-policy"]);
  assert.match(policy, /^default-src 'none'; .*frame-ancestors 'none'$/);
});

test("browsers are held to https where the service is reached by it, and only there", async () => {
  const secure = await createTestApp({ publicUrl: () => "https://hooks.example" });
  const { headers } = await secure.app.inject("/healthz");
  assert.equal(headers["strict-transport-security"], "max-age=31536000");
  const plain = await createTestApp({ publicUrl: () => "http://127.0.0.1:8080" });
  const answer = await plain.app.inject("/healthz");
  assert.equal(answer.headers["strict-transport-security"], undefined);
});
