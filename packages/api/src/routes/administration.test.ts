import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createTestApp, type TestApp } from "../testing/test-app.ts";
import { purchase, TestSender } from "../testing/test-sender.ts";

let api: TestApp;
beforeEach(async () => {
  api = await createTestApp();
});

const get = (url: string, key?: string) =>
  api.send({ method: "GET", url, ...(key === undefined ? {} : { key }) });
const post = (payload: object) => api.send({ method: "POST", url: "/v1/api-keys", payload });

test("a key is made, shown once, used and revoked", async () => {
  const made = await post({ name: "shop", scopes: ["resources:read"] });
  assert.equal(made.statusCode, 201);
  assert.equal(made.headers["cache-control"], "no-store");
  const { key, id } = made.json();
  assert.equal((await get("/v1/resources", key)).statusCode, 200);
  assert.equal((await get("/v1/webhooks", key)).statusCode, 403);
  const list = await get("/v1/api-keys");
  assert.ok(!list.body.includes(key));
  assert.equal(list.json().items.length, 2);

  const revoked = await api.send({ method: "DELETE", url: `/v1/api-keys/${id}` });
  assert.deepEqual([revoked.statusCode, revoked.body], [204, ""]);
  api.world.nowMs += 1000;
  assert.equal((await get("/v1/resources", key)).statusCode, 401);
  const again = await api.send({ method: "DELETE", url: `/v1/api-keys/${id}` });
  assert.equal(again.json().code, "not_found");
});

test("the last key that can make keys is refused, and revoked when that is confirmed", async () => {
  const { items } = (await get("/v1/api-keys")).json();
  const url = `/v1/api-keys/${items[0].id}`;
  for (const query of ["", "?confirm=false"]) {
    const refused = await api.send({ method: "DELETE", url: `${url}${query}` });
    assert.deepEqual([refused.statusCode, refused.json().code], [409, "api_key_last"]);
  }
  assert.equal((await get("/v1/api-keys")).json().items[0].revokedAt, null);
  const revoked = await api.send({ method: "DELETE", url: `${url}?confirm=true` });
  assert.equal(revoked.statusCode, 204);
});

test("a key can expire", async () => {
  const made = await post({ name: "shop", scopes: ["admin"], expiresAt: "2026-01-02T04:04:05Z" });
  assert.equal(made.json().expiresAt, "2026-01-02T04:04:05.000Z");
  for (const expiresAt of ["2026-01-01T00:00:00Z", "tomorrow", "2026-12-31T23:59:60Z", 5]) {
    const answer = await post({ name: "shop", scopes: ["admin"], expiresAt });
    assert.deepEqual([answer.statusCode, answer.json().pointer], [422, "/expiresAt"]);
  }
});

test("a key has a name and scopes that exist", async () => {
  assert.equal((await post({ name: "", scopes: ["admin"] })).json().pointer, "/name");
  assert.equal((await post({ name: "a", scopes: [] })).json().pointer, "/scopes");
  assert.equal((await post({ name: "a", scopes: ["root"] })).json().pointer, "/scopes/0");
});

test("notices are a feed that goes on by number", async () => {
  const sender = new TestSender(api.store);
  const { resources, webhooks } = api.store;
  for (let no = 1; no <= 3; no += 1) {
    const resource = { id: `map-${no}`, ownerId: no === 2 ? "o-2" : "o-1" };
    await resources.put([{ ...resource, title: "T", subtitle: "" }]);
    const input = { url: "https://r.example/", events: null, description: "", secret: "s" };
    const to = { id: `wh_${no}`, resourceId: resource.id, format: "json" };
    await webhooks.create({ ...input, ...to }, null);
    await sender.refuseForEver(purchase(resource.id, 7));
  }
  const first = (await get("/v1/notices?limit=2")).json();
  assert.equal(first.after, 2);
  assert.deepEqual(first.items[0], {
    no: 1,
    kind: "webhook_disabled",
    ownerId: "o-1",
    resourceId: "map-1",
    webhookId: "wh_1",
    detail: { reason: "gone" },
    createdAt: "2026-01-02T03:04:05.678Z",
  });
  const rest = (await get(`/v1/notices?after=${first.after}`)).json();
  assert.deepEqual([rest.items.length, rest.after], [1, 3]);
  assert.deepEqual((await get("/v1/notices?after=3")).json(), { items: [], after: 3 });
  assert.equal((await get("/v1/notices?ownerId=o-2")).json().items.length, 1);
});
