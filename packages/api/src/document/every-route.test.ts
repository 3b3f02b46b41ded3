import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as fc from "fast-check";
import type { Arbitrary } from "fast-check";
import { ERRORS, type ErrorEntry } from "@markethook/protocol";
import { CODE_POINT } from "@markethook/protocol/testing";
import type { LightMyRequestResponse } from "fastify";
import {
  checkHeaders,
  listOperations,
  type ListedOperation,
} from "../testing/listed-operations.ts";
import { createTestApp, type TestApp } from "../testing/test-app.ts";
import { purchase, TestSender } from "../testing/test-sender.ts";
import { unnamedMembers } from "../testing/unnamed-members.ts";
import { valuesNear } from "../testing/values-near.ts";

/** Requests per operation and kind. Each run makes others, and `test/fuzz` many more of the service. */
const RUNS = 40;
const WEBHOOK_ID = "wh_00000000000000000001";

let api: TestApp;
let operations: ListedOperation[];
/** One of each thing, whose ids requests know. */
let knownIds: [start: string, id: string][];
before(async () => {
  api = await createTestApp();
  // Its answer has no end; its own test reads it.
  operations = (await listOperations(api.app)).filter(
    ({ operationId }) => operationId !== "streamDeliveries",
  );
  const { resources, webhooks } = api.store;
  await resources.put([{ id: "map-1", ownerId: "o-1", title: "T", subtitle: "" }]);
  const secret = "s".repeat(48);
  const input = { resourceId: "map-1", url: "https://r.example/", events: null, description: "" };
  await webhooks.create({ ...input, id: WEBHOOK_ID, format: "json", secret }, null);
  await webhooks.rotate(WEBHOOK_ID, null, { mode: "overlap", secret, overlapSeconds: null });
  const { id, eventId } = await new TestSender(api.store).fail(purchase("map-1", 7));
  knownIds = [
    ["/v1/resources", "map-1"],
    ["/v1/webhooks", WEBHOOK_ID],
    ["/v1/deliveries", id],
    ["/v1/events", eventId],
    ["/v1/api-keys", "key_00000000000000000000"],
  ];
});

const catalogue = new Map<string, ErrorEntry>(Object.entries(ERRORS));

/** The last answer of each operation that was reached and not only refused. */
const successes = new Map<string, LightMyRequestResponse>();

/** What every answer must be, whatever was asked. */
function judge(answer: LightMyRequestResponse, what: string): void {
  const { statusCode, headers, body } = answer;
  const operation = operations.find(({ method, path }) => `${method} ${path}` === what);
  if (operation !== undefined) checkHeaders(operation, answer);
  if (statusCode < 400) {
    assert.ok(statusCode >= 200, `${what}: ${statusCode}`);
    successes.set(what, answer);
    return;
  }
  assert.notEqual(statusCode, 500, `${what}: ${body} ${JSON.stringify(api.world.lines.at(-1))}`);
  assert.equal(headers["content-type"], "application/problem+json; charset=utf-8", what);
  const problem = answer.json();
  assert.equal(catalogue.get(problem.code)?.status, statusCode, `${what}: ${problem.code}`);
  assert.equal(problem.status, statusCode);
  assert.equal(problem.type, `/docs/errors#${problem.code}`);
  assert.ok(problem.detail.length > 0 && problem.requestId.length > 0);
  assert.equal("retry-after" in headers, statusCode === 503 || statusCode === 429, what);
  assert.ok(body.length < 4000, `${what}: an answer repeats too much`);
  if (operation === undefined) return;
  const documented = operation.responses[String(statusCode)]?.description ?? "";
  assert.ok(documented.includes(`\`${problem.code}\``), `${what} does not name ${problem.code}`);
}

/** Mostly the id of the thing that there is. */
function ids(path: string): Arbitrary<string> {
  const anyText = fc.string({ unit: CODE_POINT, minLength: 1, maxLength: 80 });
  const [, known] = knownIds.find(([start]) => path.startsWith(start)) ?? ["", "x"];
  return fc.oneof({ weight: 6, arbitrary: fc.constant(known) }, { weight: 1, arbitrary: anyText });
}

const headerValue = fc.stringMatching(/^[\x20-\x7e]{0,40}$/);

/** Query parameters: near the documented ones, or anything. */
function queries(operation: ListedOperation): Arbitrary<Record<string, unknown>> {
  const known = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  const near: Record<string, Arbitrary<unknown>> = {};
  for (const { name, schema } of known) near[name] = valuesNear(schema);
  return fc.oneof(
    { weight: 4, arbitrary: fc.record(near, { requiredKeys: [] }) },
    {
      weight: 1,
      arbitrary: fc.dictionary(fc.string({ maxLength: 8 }), fc.string(), { maxKeys: 3 }),
    },
  );
}

function urlOf(path: string, pathId: string, query: Record<string, unknown>): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`,
  );
  const search = pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  return path.replace("{id}", encodeURIComponent(pathId)) + search;
}

function textOf(value: unknown): string {
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toWellFormed();
}

test("no body, parameter or header near the documented ones, or far from them, breaks a route", async () => {
  for (const operation of operations) {
    const { method, path } = operation;
    const schema = operation.requestBody?.content["application/json"].schema;
    const bodies =
      schema === undefined
        ? fc.constant(undefined)
        : fc.option(valuesNear(schema), { nil: undefined, freq: 20 });
    await fc.assert(
      fc.asyncProperty(
        ids(path),
        queries(operation),
        bodies,
        fc.option(headerValue, { freq: 4 }),
        async (pathId, query, body, key) => {
          const request = {
            method,
            url: urlOf(path, pathId, query),
            ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
            headers: {
              authorization: `Bearer ${api.key}`,
              ...(body === undefined ? {} : { "content-type": "application/json" }),
              ...(key === null ? {} : { "idempotency-key": key }),
            },
          };
          const answer = await api.store.undone(async () => await api.send(request));
          judge(answer, `${method} ${path}`);
        },
      ),
      { numRuns: RUNS },
    );
  }
});

test("an impossible resource id is refused with a code that the operation names", async () => {
  const payload = { ownerId: "o-1", resourceId: ".." };
  const chart = await api.send({ method: "GET", url: "/v1/activity?resourceId=.." });
  const link = await api.send({ method: "POST", url: "/v1/portal-sessions", payload });
  judge(chart, "GET /v1/activity");
  judge(link, "POST /v1/portal-sessions");
  assert.deepEqual([chart.statusCode, link.statusCode], [422, 422]);
});

test("most routes were not only refused in this", () => {
  const reached = operations.filter(({ method, path }) => successes.has(`${method} ${path}`));
  assert.ok(reached.length > 0.6 * operations.length, `${reached.length} of ${operations.length}`);
});

test("no answer has a member that the document does not name: rows of the store hold more than is shown", () => {
  const found = operations.flatMap(({ method, path, responses }) => {
    const answer = successes.get(`${method} ${path}`);
    const schema = responses[String(answer?.statusCode)]?.content?.["application/json"]?.schema;
    return answer === undefined || schema === undefined
      ? []
      : unnamedMembers(schema, answer.json(), `${method} ${path}`);
  });
  assert.deepEqual(found, []);
});

test("no raw bytes, content type or encoding breaks a route that takes a body", async () => {
  const types = fc.oneof(
    fc.constantFrom("application/json", "text/plain", "application/json; charset=x"),
    headerValue,
  );
  for (const { method, path, requestBody } of operations) {
    if (requestBody === undefined) continue;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.json().map((text) => Buffer.from(text)),
        ),
        types,
        fc.option(fc.constantFrom("gzip", "identity", "br"), { freq: 3 }),
        async (bytes, type, encoding) => {
          const answer = await api.send({
            method,
            url: path.replace("{id}", "map-1"),
            payload: Buffer.from(bytes),
            headers: {
              authorization: `Bearer ${api.key}`,
              "content-type": type,
              ...(encoding === null ? {} : { "content-encoding": encoding }),
            },
          });
          judge(answer, `${method} ${path}`);
        },
      ),
      { numRuns: RUNS },
    );
  }
});

/** A character that stands in paths as it is, or any one in percent-encoding. */
const pathUnit = fc.oneof(
  fc.constantFrom(..."/az09-._~!$&'()*+,;=:@"),
  CODE_POINT.map((character) => encodeURIComponent(character)),
);

test("no path, method or key gets an answer in another form", async () => {
  const methods = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS" as const);
  const paths = fc.oneof(
    fc.string({ unit: pathUnit }).map((rest) => `/${rest}`),
    fc.constantFrom(...operations.map(({ path }) => path)),
    fc.stringMatching(/^\/v1\/[a-z%\d/.;:\\]{0,30}$/),
  );
  await fc.assert(
    fc.asyncProperty(methods, paths, fc.option(headerValue), async (method, url, authorization) => {
      const answer = await api.app.inject({
        method,
        url,
        headers: authorization === null ? {} : { authorization },
      });
      judge(answer, `${method} ${url}`);
    }),
    { numRuns: 500 },
  );
});
