import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { AuditRow } from "@markethook/store";
import { createTestApp, type TestApp } from "../testing/test-app.ts";

const KEY = { kind: "api_key", id: "key_1", name: "shop backend", requestId: "req_1" } as const;

function row(no: number, change: Partial<AuditRow> = {}): AuditRow {
  return {
    no,
    at: 1_767_323_045_000,
    actor: KEY,
    action: "webhook.change",
    subject: { kind: "webhook", id: "wh_1" },
    ownerId: "o-1",
    resourceId: "map-1",
    before: { url: "https://a.example/" },
    after: { url: "https://b.example/" },
    ...change,
  };
}

let api: TestApp;
beforeEach(async () => {
  api = await createTestApp();
  await api.world.resources.put([{ id: "map-1", ownerId: "o-1", title: "T", subtitle: "" }]);
  api.world.audit.rows.push(
    row(1),
    row(2, { resourceId: "map-2" }),
    row(3, { ownerId: "o-2" }),
    row(4, { subject: { kind: "portal_session", id: "ps_1" } }),
    row(5, { actor: { kind: "portal_session", id: "ps_1", name: "o-1", requestId: null } }),
  );
});

async function numbers(url: string, key?: string): Promise<number[]> {
  const answer = await api.send({ method: "GET", url, ...(key === undefined ? {} : { key }) });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().items.map(({ no }: { no: number }) => no);
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

test("pages go on with a cursor that is good for the same filter only", async () => {
  const first = (await api.send({ method: "GET", url: "/v1/audit?limit=2" })).json();
  const url = `/v1/audit?limit=2&cursor=${first.nextCursor}`;
  assert.deepEqual(await numbers(url), [3, 2]);
  const other = await api.send({ method: "GET", url: `${url}&ownerId=o-1` });
  assert.equal(other.json().code, "cursor_invalid");
});

test("an erasure goes on with its cursor, waits where something is on its way, and adds up", async () => {
  const url = "/v1/users/7/erase";
  const first = (await api.send({ method: "POST", url })).json();
  assert.deepEqual([first.events, first.deliveries, first.open], [2, 4, 1]);
  const payload = { cursor: first.cursor };
  const second = (await api.send({ method: "POST", url, payload })).json();
  assert.deepEqual([second.events, second.open, second.cursor], [3, 0, null]);
  const another = await api.send({ method: "POST", url: "/v1/users/8/erase", payload });
  assert.equal(another.json().code, "cursor_invalid");
  const dry = await api.send({ method: "POST", url, payload: { ...payload, dryRun: true } });
  assert.equal(dry.json().code, "cursor_invalid");
});

test("what is no user's id is nobody's", async () => {
  for (const id of ["-1", "1.5", "x", "01", "9999999999999999", "99999999999999999"]) {
    const answer = await api.send({ method: "POST", url: `/v1/users/${id}/erase` });
    assert.equal(answer.statusCode, 404, id);
  }
});

test("whatever is changed is changed in the name of who asked", async () => {
  const payload = { title: "T", ownerId: "o-1" };
  await api.send({ method: "PUT", url: "/v1/resources/map-1", payload });
  const [actor] = api.world.audit.actors;
  assert.equal(actor?.kind, "api_key");
  assert.equal(actor.name, "test");
  assert.match(actor.requestId ?? "", /^req_/);
});
