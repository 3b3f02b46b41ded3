import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { listOperations } from "../testing/listed-operations.ts";
import { createTestApp, type TestApp } from "../testing/test-app.ts";
import { SESSION_SCOPES } from "./scopes.ts";

const WEBHOOK = "/v1/webhooks/wh_00000000000000000001";
const LIMITS = { pings: 0, sends: 0, checkups: 0, urlChecks: 0, bulkActions: 0, changes: 9 };

let api: TestApp;
beforeEach(async () => {
  api = await createTestApp({ ownerLimits: LIMITS });
  const { resources, webhooks } = api.store;
  await resources.put([{ id: "map-1", ownerId: "o-1", title: "T", subtitle: "" }]);
  const input = { url: "https://r.example/", events: null, description: "", secret: "s" };
  const id = WEBHOOK.slice(-23);
  await webhooks.create({ ...input, id, resourceId: "map-1", format: "json" }, null);
});

/** What grows the audit log, and for some makes a notice to an owner. */
const CHANGES = [
  { method: "POST", url: `${WEBHOOK}/secret/rotate`, payload: { mode: "switch_now" } },
  { method: "GET", url: `${WEBHOOK}/secret` },
  { method: "GET", url: `${WEBHOOK}/url` },
  { method: "PATCH", url: WEBHOOK, payload: { description: "x" } },
] as const;

async function change(turn: number, key: string, query = "") {
  const { url, ...rest } = CHANGES[turn % CHANGES.length] ?? assert.fail();
  const answer = await api.send({ ...rest, url: `${url}${query}`, key });
  return { status: answer.statusCode, body: answer.json() };
}

test("an owner's sessions together change so much within a minute, and reveal so many secrets", async () => {
  const sessions = [await api.makeSession("o-1"), await api.makeSession("o-1", "map-1")];
  const next = async (turn: number) => await change(turn, sessions[turn % 2] ?? "");
  for (let turn = 0; turn < 9; turn += 1) assert.equal((await next(turn)).status, 200);
  const before = await api.store.audit.list({ ownerId: null }, { beforeSeq: null, limit: 1 });
  for (const turn of CHANGES.keys()) {
    const { status, body } = await next(turn);
    assert.deepEqual([status, body.code], [429, "owner_limit_reached"]);
    assert.match(body.detail, /^There were 9 changes within a minute\./);
  }
  assert.deepEqual(
    await api.store.audit.list({ ownerId: null }, { beforeSeq: null, limit: 1 }),
    before,
  );
  const read = await api.send({ method: "GET", url: WEBHOOK, key: sessions[0] ?? "" });
  assert.equal(read.statusCode, 200);
  api.world.nowMs += 60_000;
  assert.equal((await next(0)).status, 200);
});

test("a marketplace's key changes without that limit, also in the name of an owner", async () => {
  for (let turn = 0; turn < 30; turn += 1) {
    assert.equal((await change(turn, api.key, "?ownerId=o-1")).status, 200);
  }
});

test("every route by which a session changes something, or reads a secret, has a limit of its owner", async () => {
  const unlimited: string[] = [];
  for (const { operationId, method, security, ...operation } of await listOperations(api.app)) {
    const scope = security[0]?.["apiKey"]?.[0];
    const bySession = [...SESSION_SCOPES].some((one) => one === scope);
    if (!bySession || (method === "GET" && scope !== "secrets:read")) continue;
    if (operation["x-owner-limit"] === undefined) unlimited.push(operationId);
  }
  assert.deepEqual(unlimited, []);
});
