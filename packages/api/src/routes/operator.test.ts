import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestApp } from "../testing/test-app.ts";

test("the overview puts together what is stored and what runs, for keys of its scope", async () => {
  const { store, send, makeKey, world } = await createTestApp();
  await store.resources.put([{ id: "map-1", ownerId: "o-1", title: "T", subtitle: "" }]);
  const input = { events: null, description: "", secret: "s", resourceId: "map-1" };
  const url = "https://r.example:8443/secret?of=owner";
  await store.webhooks.create({ ...input, id: "wh_1", url, format: "json" }, null);
  // The new owner is not to be sent to by the old one's webhook.
  await store.resources.put([{ id: "map-1", ownerId: "o-2", title: "T", subtitle: "" }]);
  const key = await makeKey(["operator:read"]);
  const answer = await send({ method: "GET", url: "/v1/operator", key });
  const { disabledList, masterKeys, attempts, storeKind, leaseMs, readAt } = answer.json();
  assert.equal(disabledList[0].host, "r.example:8443");
  assert.ok(!answer.body.includes("secret?of"));
  assert.deepEqual(masterKeys, [{ id: "abcdefgh", encrypts: true }]);
  assert.equal(attempts[0].count, 1);
  assert.equal(storeKind, "sqlite");
  assert.equal(leaseMs, 8000);
  assert.equal(Date.parse(readAt), world.nowMs);
});

test("several who look at once cost one look a second", async () => {
  let looks = 0;
  const api = await createTestApp();
  const { operator } = api.deps;
  const { send, world } = await createTestApp({
    operator: async () => {
      looks += 1;
      return await operator();
    },
  });
  const look = () => send({ method: "GET", url: "/v1/operator" });
  await Promise.all([look(), look()]);
  assert.equal(looks, 1);
  world.nowMs += 1000;
  await look();
  assert.equal(looks, 2);
});

test("a page that stays open shows each change once, and reads of the audit log what is new", async (t) => {
  const { store, send, world } = await createTestApp();
  const look = async (): Promise<string[]> => {
    world.nowMs += 1000;
    const { changes } = (await send({ method: "GET", url: "/v1/operator" })).json();
    return changes.map((change: { subject: { id: string } }) => change.subject.id);
  };
  const put = async (id: string): Promise<void> =>
    void (await store.resources.put([{ id, ownerId: "o-1", title: "T", subtitle: "" }]));
  const ids = Array.from({ length: 25 }, (_, index) => `map-${index}`);
  for (const id of ids.slice(0, 22)) await put(id);
  assert.deepEqual(await look(), ids.slice(2, 22).reverse());
  const list = t.mock.method(store.audit, "list");
  for (const id of ids.slice(22)) await put(id);
  assert.deepEqual(await look(), ids.slice(5).reverse());
  assert.deepEqual(await look(), ids.slice(5).reverse());
  const examined = list.mock.calls.map((call) => call.arguments[1].examined ?? 0);
  assert.equal(Math.max(...examined), 3);
});
