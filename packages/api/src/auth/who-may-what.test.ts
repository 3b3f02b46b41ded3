import assert from "node:assert/strict";
import { before, test } from "node:test";
import { listOperations, type ListedOperation } from "../testing/listed-operations.ts";
import { createTestApp, type TestApp } from "../testing/test-app.ts";
import { purchase, TestSender } from "../testing/test-sender.ts";

const WEBHOOK = "wh_00000000000000000001";
let delivery: string;
let event: string;
const KEY_ID = "key_00000000000000000000";
const SESSION_ID = "ps_00000000000000000000";

/** What is asked of each operation, about the things of the owner o-1 and their resource map-1. */
const map1 = { title: "T", ownerId: "o-1" };
const report = { event: "product.user.purchase", user: { id: 7 } };
const REQUESTS: Readonly<Record<string, { url?: string; payload?: object }>> = {
  putResource: { url: "/v1/resources/map-1", payload: map1 },
  putResources: { payload: { items: [{ id: "map-1", ...map1 }] } },
  getResource: { url: "/v1/resources/map-1" },
  deleteResource: { url: "/v1/resources/map-1" },
  reportEvent: { url: "/v1/resources/map-1/events", payload: report },
  reportEvents: { payload: { events: [{ resourceId: "map-1", ...report }] } },
  createWebhook: {
    url: "/v1/resources/map-1/webhooks",
    payload: { url: "https://r.example/" },
  },
  listResourceWebhooks: { url: "/v1/resources/map-1/webhooks" },
  changeWebhook: { payload: { description: "x" } },
  copyWebhook: { payload: { resourceIds: ["map-3"] } },
  resumeWebhook: { payload: { held: "send" } },
  sendSample: { payload: { event: "product.update" } },
  replayWebhook: { payload: { from: 0, to: 9_999_999_999, dryRun: true } },
  checkUrl: { payload: { url: "https://r.example/", resourceId: "map-1" } },
  verifyRequest: { payload: { headers: {}, body: "{}", webhookId: WEBHOOK } },
  streamDeliveries: { url: `/v1/deliveries/stream?webhookId=${WEBHOOK}` },
  createApiKey: { payload: { name: "n", scopes: ["admin"] } },
  revokeApiKey: { url: "/v1/api-keys/key_00000000000000000009" },
  importRecords: {
    payload: { records: [{ kind: "resource", id: "m", title: "T", ownerId: "o-1" }] },
  },
  createPortalSession: { payload: { ownerId: "o-1" } },
  eraseUser: { url: "/v1/users/7/erase" },
  exchangePortalCode: { payload: { code: "x" } },
};

/** By key; by a session of the owner, bound to nothing, to this resource, to another one; by a foreign session. */
type Row = readonly [key: number, own: number, here: number, elsewhere: number, foreign: number];
const MARKETPLACE = (status: number): Row => [status, 403, 403, 403, 403];
const OWNERS = (status: number): Row => [status, status, status, 404, 404];
const EVERYBODY = (status: number): Row => [status, status, status, status, status];

const EXPECTED: Readonly<Record<string, Row>> = {
  index: EVERYBODY(200),
  health: EVERYBODY(200),
  readiness: EVERYBODY(200),
  metrics: EVERYBODY(200),
  putResource: MARKETPLACE(200),
  putResources: MARKETPLACE(200),
  listResources: EVERYBODY(200),
  getResource: OWNERS(200),
  deleteResource: MARKETPLACE(204),
  reportEvent: MARKETPLACE(202),
  reportEvents: MARKETPLACE(202),
  listEvents: EVERYBODY(200),
  getEvent: OWNERS(200),
  explainEvent: OWNERS(200),
  createWebhook: OWNERS(201),
  listResourceWebhooks: OWNERS(200),
  listWebhooks: EVERYBODY(200),
  getWebhook: OWNERS(200),
  changeWebhook: OWNERS(200),
  deleteWebhook: OWNERS(204),
  copyWebhook: OWNERS(200),
  pingWebhook: OWNERS(200),
  sendSample: OWNERS(200),
  checkWebhook: OWNERS(200),
  pauseWebhook: OWNERS(200),
  resumeWebhook: OWNERS(200),
  replayWebhook: OWNERS(200),
  sendWaiting: OWNERS(200),
  stopWaiting: OWNERS(200),
  revealSecret: OWNERS(200),
  revealUrl: OWNERS(200),
  rotateSecret: OWNERS(409),
  switchSecret: OWNERS(200),
  cancelRotation: OWNERS(200),
  checkUrl: OWNERS(200),
  verifyRequest: OWNERS(200),
  listDeliveries: EVERYBODY(200),
  listWebhookDeliveries: OWNERS(200),
  listFailures: OWNERS(200),
  getActivity: EVERYBODY(200),
  getDelivery: OWNERS(200),
  redeliver: OWNERS(202),
  sendNow: OWNERS(409),
  // There is no room for streams here: anyone who may have one is told so.
  streamDeliveries: OWNERS(503),
  listNotices: MARKETPLACE(200),
  listApiKeys: MARKETPLACE(200),
  createApiKey: MARKETPLACE(201),
  revokeApiKey: [404, 403, 403, 403, 403],
  importRecords: MARKETPLACE(200),
  createPortalSession: MARKETPLACE(201),
  exchangePortalCode: EVERYBODY(404),
  getCurrentSession: EVERYBODY(200),
  renewCurrentSession: [404, 200, 200, 200, 200],
  endCurrentSession: [404, 204, 204, 204, 204],
  listPortalSessions: MARKETPLACE(200),
  revokePortalSession: MARKETPLACE(204),
  operatorOverview: MARKETPLACE(200),
  listAudit: EVERYBODY(200),
  checkAudit: MARKETPLACE(200),
  eraseUser: MARKETPLACE(200),
};

let api: TestApp;
before(async () => {
  api = await createTestApp({ feed: { everyMs: 1000, most: 0, mostPerOwner: 0 } });
  const { resources, webhooks } = api.store;
  for (const [i, ownerId] of ["o-1", "o-2", "o-1"].entries()) {
    await resources.put([{ id: `map-${i + 1}`, ownerId, title: "T", subtitle: "" }]);
  }
  const secret = "s".repeat(48);
  const input = { url: "https://r.example/", events: null, description: "", secret };
  await webhooks.create({ ...input, id: WEBHOOK, resourceId: "map-1", format: "json" }, null);
  await webhooks.rotate(WEBHOOK, null, { mode: "overlap", secret, overlapSeconds: null });
  const sent = await new TestSender(api.store).fail(purchase("map-1", 7));
  delivery = sent.id;
  event = sent.eventId;
  await api.makeSession("o-1");
});

function requestFor({ operationId, method, path }: ListedOperation) {
  const { url, payload } = REQUESTS[operationId] ?? {};
  const id = path.startsWith("/v1/webhooks")
    ? WEBHOOK
    : path.startsWith("/v1/deliveries")
      ? delivery
      : path.startsWith("/v1/events")
        ? event
        : path.startsWith("/v1/portal-sessions")
          ? SESSION_ID
          : KEY_ID;
  return {
    method,
    url: url ?? path.replace("{id}", id),
    ...(payload === undefined ? {} : { payload }),
  };
}

/** Who asks, in the order of a row, and what gives their token. */
const ASKERS: readonly (readonly [name: string, token: () => string | Promise<string>])[] = [
  ["key", () => api.key],
  ["own session", () => api.makeSession("o-1")],
  ["session of the resource", () => api.makeSession("o-1", "map-1")],
  ["session of another resource", () => api.makeSession("o-1", "map-3")],
  ["foreign session", () => api.makeSession("o-2")],
];

test("who may what: every operation answers key, own, bound and foreign session as the table says", async (t) => {
  const operations = await listOperations(api.app);
  assert.deepEqual(
    operations.map(({ operationId }) => operationId).sort(),
    Object.keys(EXPECTED).sort(),
    "each operation has a line in EXPECTED of this test: add or remove it",
  );
  for (const operation of operations) {
    const { operationId } = operation;
    const expected = EXPECTED[operationId] ?? [];
    for (const [i, status] of expected.entries()) {
      await t.test(`${operationId} as ${i}`, async () => {
        const [name, makeToken] = ASKERS[i] ?? assert.fail();
        const answer = await api.store.undone(
          async () => await api.send({ ...requestFor(operation), key: await makeToken() }),
        );
        assert.equal(answer.statusCode, status, `${operationId} by ${name}: ${answer.body}`);
        if (name === "foreign session" || name === "session of another resource") {
          assert.ok(!answer.body.includes("map-1"), `${operationId} tells ${name} of map-1`);
          assert.ok(!answer.body.includes(WEBHOOK), `${operationId} tells ${name} of the webhook`);
        }
      });
    }
  }
});

test("an expired session, a revoked one and none are refused everywhere but where anybody may", async () => {
  const operations = await listOperations(api.app);
  const expired = await api.makeSession("o-1");
  api.world.nowMs += 3_600_000;
  const revoked = await api.makeSession("o-1");
  const [open, ...more] = await api.store.portalSessions.list({ ownerId: "o-1", limit: 10 });
  assert.ok(open !== undefined && more.length === 0);
  assert.ok(await api.store.portalSessions.revoke(open.id));
  for (const operation of operations) {
    const { operationId, security } = operation;
    if (security.length === 0) continue;
    const request = requestFor(operation);
    assert.equal((await api.app.inject(request)).statusCode, 401, operationId);
    for (const key of [expired, revoked]) {
      assert.equal((await api.send({ ...request, key })).statusCode, 401, operationId);
    }
  }
});

test("a session that names another owner is told nothing, by any route that takes an owner", async () => {
  const key = await api.makeSession("o-2");
  for (const operation of await listOperations(api.app)) {
    const { operationId, parameters } = operation;
    if (parameters?.some(({ name }) => name === "ownerId") !== true) continue;
    const request = requestFor(operation);
    const separator = request.url.includes("?") ? "&" : "?";
    const url = `${request.url}${separator}ownerId=o-1`;
    const { statusCode } = await api.store.undone(
      async () => await api.send({ ...request, url, key }),
    );
    const marketplaceOnly = EXPECTED[operationId]?.[1] === 403;
    assert.equal(statusCode, marketplaceOnly ? 403 : 404, operationId);
  }
});

test("a session bound to one resource cannot copy a webhook to another, nor narrow a list to it", async () => {
  const key = await api.makeSession("o-1", "map-1");
  const copy = await api.send({
    method: "POST",
    url: `/v1/webhooks/${WEBHOOK}/copy`,
    payload: { resourceIds: ["map-3", "map-1"] },
    key,
  });
  const statuses = copy.json().results.map((result: { status: string }) => result.status);
  assert.deepEqual(statuses, ["rejected", "created"]);
  for (const list of ["webhooks", "deliveries", "events"]) {
    const url = `/v1/${list}?resourceId=map-3`;
    assert.equal((await api.send({ method: "GET", url, key })).statusCode, 404, list);
  }
});

test("no answer sets a cookie or allows another origin's pages to read it", async () => {
  const key = await api.makeSession("o-1");
  for (const operation of await listOperations(api.app)) {
    const { operationId } = operation;
    const request = requestFor(operation);
    const headers = { authorization: `Bearer ${key}`, origin: "https://evil.example" };
    const answer = await api.store.undone(
      async () => await api.app.inject({ ...request, headers }),
    );
    const names = Object.keys(answer.headers);
    assert.ok(!names.includes("set-cookie"), operationId);
    assert.ok(!names.some((name) => name.startsWith("access-control-")), operationId);
  }
  const url = "/v1/webhooks";
  const headers = {
    origin: "https://evil.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization",
  };
  const preflight = await api.app.inject({ method: "OPTIONS", url, headers });
  assert.equal(preflight.statusCode, 405);
});

test("what is another owner's and what never was get the same answer, byte for byte, by every route with an id", async () => {
  const absent: Readonly<Record<string, string>> = {
    "map-1": "map-9",
    [WEBHOOK]: "wh_99999999999999999999",
    [delivery]: "dlv_9abcdefghij",
    [event]: "evt_9abcdefghij",
  };
  let compared = 0;
  for (const operation of await listOperations(api.app)) {
    if (!operation.path.includes("{id}")) continue;
    const request = requestFor(operation);
    const known = Object.keys(absent).find((id) => request.url.includes(id));
    if (known === undefined) continue;
    const ask = async (id: string, key: string, query: string) => {
      const session = await api.makeSession("o-2");
      const answer = await api.store.undone(
        async () =>
          await api.send({
            ...request,
            url: request.url.replace(known, id) + query,
            key: key === "" ? session : key,
          }),
      );
      const { date: _, ...headers } = answer.headers;
      return [answer.statusCode, headers, answer.body.replace(/req_\w+/, "")];
    };
    for (const [key, query] of [
      ["", ""],
      [api.key, "?ownerId=o-2"],
    ] as const) {
      const foreign = await ask(known, key, query);
      const missing = await ask(absent[known] ?? "", key, query);
      assert.deepEqual(foreign, missing, `${operation.operationId} ${query}`);
      compared += 1;
    }
  }
  assert.ok(compared >= 40);
});
