import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { before, test } from "node:test";
import { errorEntry, MarkethookError } from "@markethook/protocol";
import { makeApiKey } from "../auth/token.ts";
import { createTestApp, type TestApp } from "../testing/test-app.ts";

let api: TestApp;
before(async () => {
  api = await createTestApp();
});

test("a problem has the same members everywhere, and its type leads to a page that explains it", async () => {
  const answer = await api.send({ method: "GET", url: "/v1/resources/absent" });
  assert.equal(answer.headers["content-type"], "application/problem+json; charset=utf-8");
  const problem = answer.json();
  assert.match(problem.requestId, /^req_[0-9a-z]+$/);
  assert.deepEqual(
    { ...problem, requestId: "" },
    {
      type: "/docs/errors#not_found",
      title: errorEntry("not_found").title,
      status: 404,
      code: "not_found",
      detail: errorEntry("not_found").advice,
      requestId: "",
    },
  );
  const page = await api.app.inject("/docs/errors");
  assert.ok(page.body.includes('id="not_found"'));
});

test("an unknown path is 404, a known one with another method is 405 and says which", async () => {
  const unknown = await api.send({ method: "GET", url: "/v1/nothing" });
  assert.deepEqual([unknown.statusCode, unknown.json().code], [404, "route_not_found"]);
  const wrong = await api.send({ method: "POST", url: "/v1/webhooks/wh_x?a=1", payload: {} });
  assert.deepEqual([wrong.statusCode, wrong.json().code], [405, "method_not_allowed"]);
  assert.equal(wrong.headers["allow"], "DELETE, GET, HEAD, PATCH");
  for (const method of ["OPTIONS", "TRACE", "PROPFIND"] as const) {
    const answer = await api.send({ method, url: "/v1/webhooks" });
    assert.equal(answer.json().code, "method_not_allowed", method);
  }
  const file = await api.send({ method: "GET", url: "/docs/static/nothing.js" });
  assert.equal(file.json().code, "route_not_found");
});

test("paths that cannot be decoded, or are too long, are answered in the same form", async () => {
  const bad = await api.send({ method: "GET", url: "/v1/webhooks/%zz" });
  assert.deepEqual([bad.statusCode, bad.json().code], [400, "parameter_invalid"]);
  const long = await api.send({ method: "GET", url: `/v1/webhooks/${"a".repeat(5000)}` });
  assert.deepEqual([long.statusCode, long.json().code], [404, "not_found"]);
});

test("ids that cannot exist, foreign ids and absent ids get the same answer", async () => {
  const ids = [
    "..%2f",
    "%00",
    "wh_",
    "WH_00000000000000000000",
    "wh_00000000000000000000",
    "1",
    "%F0%9F%98%80",
  ];
  const bodies = new Set<string>();
  for (const id of ids) {
    const answer = await api.send({ method: "GET", url: `/v1/webhooks/${id}` });
    assert.equal(answer.statusCode, 404, id);
    bodies.add(JSON.stringify({ ...answer.json(), requestId: "" }));
  }
  assert.equal(bodies.size, 1);
});

test("all faulty fields are listed, the first one on top, and long names are cut", async () => {
  const answer = await api.send({
    method: "PUT",
    url: "/v1/resources",
    payload: {
      items: [
        { id: "ok", title: "T", ownerId: "o" },
        { id: "ok2", title: "T", ownerId: "o", ["x".repeat(200)]: 1 },
        { id: "ok3", title: "T", ownerId: "o" },
        { id: "ok4", title: "", ownerId: 5 },
      ],
    },
  });
  const problem = answer.json();
  assert.equal(answer.statusCode, 422);
  assert.equal(problem.code, "field_unknown");
  assert.equal(problem.pointer, `/items/1/${"x".repeat(63)}…`);
  assert.match(problem.detail, /^The fields here are id, title, subtitle, ownerId, fileVersion\./);
  assert.deepEqual(problem.errors.map((each: { pointer: string }) => each.pointer).slice(1), [
    "/items/3/title",
    "/items/3/ownerId",
  ]);
});

test("a misspelt filter is refused instead of widening the list", async () => {
  const answer = await api.send({ method: "GET", url: "/v1/deliveries?stat=dead" });
  assert.deepEqual(
    [answer.statusCode, answer.json().code, answer.json().pointer],
    [400, "parameter_invalid", "stat"],
  );
  const limit = await api.send({ method: "GET", url: "/v1/deliveries?limit=0" });
  assert.equal(limit.json().pointer, "limit");
  const twice = await api.send({ method: "GET", url: "/v1/deliveries?limit=1&limit=2" });
  assert.equal(twice.json().code, "parameter_invalid");
});

test("503 always says when to come back", async () => {
  const event = {
    method: "POST",
    url: "/v1/events",
    payload: { events: [{ resourceId: "r", event: "product.user.purchase", user: { id: 1 } }] },
  } as const;
  for (const code of [
    "overloaded",
    "outcome_unknown",
    "store_unavailable",
    "storage_full",
    "shutting_down",
  ] as const) {
    api.world.accept = () => Promise.reject(new MarkethookError(code));
    const answer = await api.send(event);
    assert.deepEqual([answer.statusCode, answer.json().code], [503, code]);
    assert.equal(answer.headers["retry-after"], "1");
  }
  api.world.accept = () =>
    Promise.reject(new MarkethookError("overloaded", { retryAfterSeconds: 7 }));
  assert.equal((await api.send(event)).headers["retry-after"], "7");
});

test("what nobody expected is a 500 without a word of it, a log line, and a fault that is counted", async () => {
  const secret = new Error("password=hunter2");
  api.world.accept = () => Promise.reject(secret);
  api.world.lines.length = 0;
  api.world.faults.length = 0;
  const answer = await api.send({
    method: "POST",
    url: "/v1/resources/r/events",
    payload: { event: "product.user.purchase", user: { id: 1 } },
  });
  assert.equal(answer.statusCode, 500);
  assert.equal(answer.json().code, "internal");
  assert.ok(!answer.body.includes("hunter2") && !answer.body.includes("stack"));
  const [line] = api.world.lines;
  assert.equal(line?.level, "error");
  assert.equal(line?.fields["requestId"], answer.json().requestId);
  assert.deepEqual(api.world.faults, [{ where: "accept", error: secret }]);
});

test("an error of another part of the system never becomes an answer of its own", async () => {
  api.world.accept = () => Promise.reject(new MarkethookError("signature_mismatch"));
  const answer = await api.send({
    method: "POST",
    url: "/v1/resources/r/events",
    payload: { event: "product.user.purchase", user: { id: 1 } },
  });
  assert.deepEqual([answer.statusCode, answer.json().code], [500, "internal"]);
});

const EVENT = {
  method: "POST",
  url: "/v1/resources/r/events",
  payload: { event: "product.user.purchase", user: { id: 1 } },
} as const;
const INNER = "PostgreSQL: connect ECONNREFUSED 10.0.0.5:5432.";

test("what a database says is for the operator alone, also where nobody could be known", async (t) => {
  const keys: Record<string, string> = {};
  for (const scope of ["events:write", "admin"]) {
    const payload = { name: "k", scopes: [scope] };
    keys[scope] = (await api.send({ method: "POST", url: "/v1/api-keys", payload })).json().key;
  }
  for (const code of ["store_unavailable", "storage_full", "outcome_unknown"] as const) {
    api.world.accept = () => Promise.reject(new MarkethookError(code, { detail: INNER }));
    const seller = await api.send({ ...EVENT, key: keys["events:write"] ?? "" });
    assert.equal(seller.json().code, code);
    assert.doesNotMatch(seller.body, /10\.0\.0\.5|PostgreSQL/);
    const operator = await api.send({ ...EVENT, key: keys["admin"] ?? "" });
    assert.ok(operator.json().detail.startsWith(INNER), operator.body);
  }
  t.mock.method(api.store.apiKeys, "findByHash", () =>
    Promise.reject(new MarkethookError("store_unavailable", { detail: INNER })),
  );
  const unknown = await api.send({
    method: "GET",
    url: "/v1/webhooks",
    key: makeApiKey(randomBytes),
  });
  assert.deepEqual([unknown.statusCode, unknown.json().code], [503, "store_unavailable"]);
  assert.doesNotMatch(unknown.body, /10\.0\.0\.5|PostgreSQL/);
  assert.ok(api.world.faults.length >= 7, "the operator's log is told");
});

test("reports that cannot be stored are a fault of their own, apart from all other requests", async (t) => {
  const away = new MarkethookError("store_unavailable", { detail: INNER });
  api.world.accept = () => Promise.reject(away);
  api.world.faults.length = 0;
  await api.send(EVENT);
  t.mock.method(api.store.webhooks, "list", () => Promise.reject(away));
  await api.send({ method: "GET", url: "/v1/webhooks" });
  assert.deepEqual(
    api.world.faults.map(({ where }) => where),
    ["accept", "answer a request"],
  );
});

test("store_unavailable says whether something of the request may have been stored", async (t) => {
  const answerTo = async (detail: object): Promise<string> => {
    api.world.accept = () => Promise.reject(new MarkethookError("store_unavailable", detail));
    return (await api.send(EVENT)).json().detail;
  };
  assert.match(await answerTo({ nothingStored: true }), /^Nothing of this request was stored\. /);
  assert.match(
    await answerTo({}),
    /^Some or all of this request may have been stored\. Only events have idempotency keys\. For anything else, check first whether it was stored\. /,
  );
  t.mock.method(api.store.apiKeys, "findByHash", () =>
    Promise.reject(new MarkethookError("store_unavailable")),
  );
  const unknown = await api.send({ ...EVENT, key: makeApiKey(randomBytes) });
  assert.match(unknown.json().detail, /^Nothing of this request was stored\. /);
});
