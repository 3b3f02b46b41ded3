import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createTestApp, type TestApp } from "../testing/test-app.ts";

let api: TestApp;
before(async () => {
  api = await createTestApp();
});

test("the index leads to everything that needs no key", async () => {
  const index = await api.app.inject("/");
  const links = Object.values<string>(index.json().links);
  assert.ok(links.length >= 5);
  for (const link of links) assert.equal((await api.app.inject(link)).statusCode, 200, link);
});

test("a living process says so, a ready one says what it looked at", async () => {
  assert.deepEqual((await api.app.inject("/healthz")).json(), { status: "alive" });
  const ready = await api.app.inject("/readyz");
  assert.deepEqual(ready.json(), { status: "ready", checks: { store: "writable" } });
  api.world.readiness = { ready: false, checks: { store: "no answer", heartbeat: "fresh" } };
  const answer = await api.app.inject("/readyz");
  assert.deepEqual([answer.statusCode, answer.json().code], [503, "not_ready"]);
  assert.equal(answer.headers["retry-after"], "1");
  assert.match(answer.json().detail, /store: no answer, heartbeat: fresh/);
});

test("the figures are text as they came", async () => {
  const answer = await api.app.inject("/metrics");
  assert.equal(answer.headers["content-type"], "text/plain; version=0.0.4");
  assert.equal(answer.body, "up 1\n");
});

test("the page of error codes loads nothing from elsewhere", async () => {
  const answer = await api.app.inject("/docs/errors");
  assert.equal(answer.statusCode, 200);
  assert.ok(!/(src|href|url)\s*[=:(]\s*["']?https?:/i.test(answer.body));
});
