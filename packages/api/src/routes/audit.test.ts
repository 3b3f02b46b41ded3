import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { AuditActor } from "@markethook/store";
import { createTestApp, type TestApp } from "../testing/test-app.ts";
import { purchase, TestSender } from "../testing/test-sender.ts";

const KEY = { kind: "api_key", id: "key_1", name: "shop backend", requestId: "req_1" } as const;
const SESSION = { kind: "portal_session", id: "ps_1", name: "o-1", requestId: null } as const;

let api: TestApp;
/** Number of the rows that everything else has left. */
let before: number;
beforeEach(async () => {
  api = await createTestApp();
  const { resources, webhooks, audit } = api.store;
  for (const [i, ownerId] of ["o-1", "o-1", "o-2"].entries()) {
    const [id, resourceId] = [`wh_${i + 1}`, `map-${i + 1}`];
    await resources.put([{ id: resourceId, ownerId, title: "T", subtitle: "" }]);
    const input = { url: "https://a.example/", events: null, description: "", secret: "s" };
    await webhooks.create({ ...input, id, resourceId, format: "json" }, null);
  }
  before = (await audit.list({ ownerId: null }, { beforeSeq: null, limit: 1 })).items[0]?.no ?? 0;
  const change = async (actor: AuditActor, id: string, url: string) =>
    await api.store.actingAs(actor).webhooks.change(id, null, { url });
  await change(KEY, "wh_1", "https://b.example/");
  await change(KEY, "wh_2", "https://b.example/");
  await change(KEY, "wh_3", "https://b.example/");
  await api.store.actingAs(KEY).portalSessions.create({
    id: "ps_1",
    ownerId: "o-1",
    resourceId: "map-1",
    returnUrl: null,
    revealsSecrets: true,
    codeHash: "c",
    codeLifetimeMs: 60_000,
    lifetimeMs: 60_000,
    longestMs: 60_000,
  });
  await change(SESSION, "wh_1", "https://c.example/");
});

async function numbers(url: string, key?: string): Promise<number[]> {
  const answer = await api.send({ method: "GET", url, ...(key === undefined ? {} : { key }) });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer
    .json()
    .items.map(({ no }: { no: number }) => no - before)
    .filter((no: number) => no > 0);
}

test("a key sees all rows with names, an owner's session its own things and not the marketplace's names", async () => {
  assert.deepEqual(await numbers("/v1/audit"), [5, 4, 3, 2, 1]);
  assert.deepEqual(await numbers("/v1/audit?ownerId=o-2"), [3]);
  const own = await api.makeSession("o-1");
  assert.deepEqual(await numbers("/v1/audit", own), [5, 2, 1]);
  assert.deepEqual(await numbers("/v1/audit", await api.makeSession("o-1", "map-1")), [5, 1]);
  const { items } = (await api.send({ method: "GET", url: "/v1/audit", key: own })).json();
  assert.deepEqual(items[0].actor, { kind: "portal_session", id: "ps_1", name: "o-1" });
  assert.deepEqual(items[1].actor, { kind: "api_key", id: null, name: null });
});

test("changes of one kind of subject can be left out, and sessions are not among the operator's last changes", async () => {
  assert.deepEqual(await numbers("/v1/audit?without=portal_session"), [5, 3, 2, 1]);
  const wrong = await api.send({ method: "GET", url: "/v1/audit?without=sessions" });
  assert.equal(wrong.statusCode, 400);
  const { changes } = (await api.send({ method: "GET", url: "/v1/operator" })).json();
  assert.deepEqual(
    changes.slice(0, 4).map(({ no }: { no: number }) => no - before),
    [5, 3, 2, 1],
  );
});

test("pages go on with a cursor that is good for the same filter only", async () => {
  const first = (await api.send({ method: "GET", url: "/v1/audit?limit=2" })).json();
  const url = `/v1/audit?limit=2&cursor=${first.nextCursor}`;
  assert.deepEqual(await numbers(url), [3, 2]);
  const other = await api.send({ method: "GET", url: `${url}&ownerId=o-1` });
  assert.equal(other.json().code, "cursor_invalid");
});

test("an erasure goes on with its cursor, waits where something is on its way, and adds up", async () => {
  const sender = new TestSender(api.store);
  const sending = await sender.lease(purchase("map-1", 7));
  // More than one step takes.
  for (let count = 0; count < 29; count += 1) await sender.fail(purchase("map-2", 7));
  await sender.fail(purchase("map-2", 8));
  const url = "/v1/users/7/erase";
  const first = (await api.send({ method: "POST", url })).json();
  assert.deepEqual([first.events, first.deliveries, first.open], [29, 29, 1]);
  await sender.deliver(sending);
  const payload = { cursor: first.cursor };
  const second = (await api.send({ method: "POST", url, payload })).json();
  assert.deepEqual([second.events, second.open, second.cursor], [30, 0, null]);
  const another = await api.send({ method: "POST", url: "/v1/users/8/erase", payload });
  assert.equal(another.json().code, "cursor_invalid");
  const dry = await api.send({ method: "POST", url, payload: { ...payload, dryRun: true } });
  assert.equal(dry.json().code, "cursor_invalid");
});

test("an erasure that finds one event on its way says so once, and goes on when asked again", async () => {
  const sender = new TestSender(api.store);
  await sender.fail(purchase("map-1", 8));
  const sending = await sender.lease(purchase("map-1", 7));
  const url = "/v1/users/7/erase";
  const first = (await api.send({ method: "POST", url })).json();
  assert.deepEqual([first.events, first.open], [0, 1]);
  await sender.deliver(sending);
  const payload = { cursor: first.cursor };
  const second = (await api.send({ method: "POST", url, payload })).json();
  assert.deepEqual([second.events, second.open, second.cursor], [1, 0, null]);
});

test("what is no user's id is nobody's", async () => {
  for (const id of ["-1", "1.5", "x", "01", "9999999999999999", "99999999999999999"]) {
    const answer = await api.send({ method: "POST", url: `/v1/users/${id}/erase` });
    assert.equal(answer.statusCode, 404, id);
  }
});

test("whatever is changed is changed in the name of who asked", async () => {
  const payload = { title: "New", ownerId: "o-1" };
  await api.send({ method: "PUT", url: "/v1/resources/map-1", payload });
  const { items } = await api.store.audit.list({ ownerId: null }, { beforeSeq: null, limit: 1 });
  const actor = items[0]?.actor;
  assert.equal(actor?.kind, "api_key");
  assert.equal(actor.name, "test");
  assert.match(actor.requestId ?? "", /^req_/);
});
