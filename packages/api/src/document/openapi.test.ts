import assert from "node:assert/strict";
import { STATUS_CODES } from "node:http";
import { before, test } from "node:test";
import { API_SCOPES, ERRORS, MarkethookError, SCOPE_TEXTS } from "@markethook/protocol";
import {
  checkHeaders,
  listOperations,
  type ListedOperation,
} from "../testing/listed-operations.ts";
import { createTestApp, type TestApp } from "../testing/test-app.ts";

let api: TestApp;
let operations: ListedOperation[];
before(async () => {
  api = await createTestApp();
  operations = await listOperations(api.app);
});

/** Everything that may be asked without a key. */
const PUBLIC = [
  "GET /",
  "GET /healthz",
  "GET /metrics",
  "GET /readyz",
  "POST /v1/portal-sessions/exchange",
];

test("every operation has an id, a summary, a tag, a success and a scope or none", () => {
  assert.equal(new Set(operations.map((each) => each.operationId)).size, operations.length);
  for (const { operationId, summary, tags, responses, security } of operations) {
    assert.ok(operationId && summary && tags.length === 1, operationId);
    assert.ok(
      Object.keys(responses).some((status) => status.startsWith("2")),
      operationId,
    );
    assert.ok(Array.isArray(security), operationId);
  }
});

test("only the routes around the service are public", () => {
  const open = operations.filter((each) => each.security.length === 0);
  assert.deepEqual(open.map((each) => `${each.method} ${each.path}`).sort(), PUBLIC);
});

test("every other operation answers 401 without a key, 403 without its scope, and neither with it", async () => {
  const keys = new Map<string, string>();
  for (const scope of API_SCOPES) keys.set(scope, await api.makeKey([scope]));
  for (const { method, path, security } of operations) {
    const [scheme] = security;
    if (scheme === undefined) continue;
    const [needed] = scheme["apiKey"] ?? [];
    const url = path.replace("{id}", "x");
    const without = await api.app.inject({ method, url });
    assert.equal(without.statusCode, 401, `${method} ${path}`);
    // Any key will do.
    if (needed === undefined && path.startsWith("/v1/portal-sessions/current")) continue;
    assert.ok(needed !== undefined && keys.has(needed), path);
    const others = await api.makeKey(
      API_SCOPES.filter((scope) => scope !== needed && scope !== "admin"),
    );
    const wrong = await api.send({ method, url, key: others });
    assert.deepEqual([wrong.statusCode, wrong.json().code], [403, "scope_missing"], path);
    const right = await api.send({ method, url, key: keys.get(needed) ?? "" });
    assert.ok(right.statusCode !== 401 && right.statusCode !== 403, `${method} ${path}`);
  }
});

test("a refusal has the headers that the document names: how to authenticate, and when to come back", async (t) => {
  const busy = await createTestApp({ keyRate: 1 });
  t.after(() => busy.app.close());
  const report = operations.find((each) => each.operationId === "reportEvents");
  assert.ok(report);
  const request = {
    method: report.method,
    url: report.path,
    payload: { events: [{ resourceId: "r", event: "product.user.purchase", user: { id: 1 } }] },
  };
  busy.world.accept = () => Promise.reject(new MarkethookError("overloaded"));
  const answers = [
    await busy.app.inject(request),
    await busy.send(request),
    await busy.send(request),
  ];
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [401, 503, 429],
  );
  for (const answer of answers) checkHeaders(report, answer);
});

test("what the texts of scopes name is what their routes ask", () => {
  const words = { importRecords: "import", pingWebhook: "ping", replayWebhook: "replay" };
  for (const [operationId, word] of Object.entries(words)) {
    const asked = operations.find((each) => each.operationId === operationId)?.security[0];
    const named = API_SCOPES.filter((scope) => SCOPE_TEXTS[scope].includes(word));
    assert.deepEqual(asked?.["apiKey"], named, operationId);
  }
});

test("every problem that is documented is in the catalogue, with its status", () => {
  for (const { operationId, responses } of operations) {
    for (const [status, { description }] of Object.entries(responses)) {
      if (status.startsWith("2")) continue;
      for (const [, code] of description.matchAll(/`([a-z_]+)`/g)) {
        const entry = Object.entries(ERRORS).find(([name]) => name === code)?.[1];
        assert.equal(entry?.status, Number(status), `${operationId} ${code}`);
      }
    }
  }
});

test("bodies that may be left out are documented so", () => {
  const optional = operations.filter((each) => each.requestBody?.required === false);
  assert.deepEqual(optional.map((each) => each.operationId).sort(), [
    "eraseUser",
    "pingWebhook",
    "redeliver",
    "rotateSecret",
    "sendWaiting",
  ]);
});

/** The generator calls each answer "Default Response" that is a reference to a schema. */
test("each success is described by what its status means", () => {
  for (const { operationId, responses } of operations) {
    for (const [status, { description }] of Object.entries(responses)) {
      if (status.startsWith("2")) assert.equal(description, STATUS_CODES[status], operationId);
    }
  }
});
