import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestApp } from "../testing/test-app.ts";

test("the overview puts together what is stored and what runs, for keys of its scope", async () => {
  const { store, send, makeKey } = await createTestApp();
  await store.resources.put([{ id: "map-1", ownerId: "o-1", title: "T", subtitle: "" }]);
  const input = { events: null, description: "", secret: "s", resourceId: "map-1" };
  const url = "https://r.example:8443/secret?of=owner";
  await store.webhooks.create({ ...input, id: "wh_1", url, format: "json" }, null);
  // The new owner is not to be sent to by the old one's webhook.
  await store.resources.put([{ id: "map-1", ownerId: "o-2", title: "T", subtitle: "" }]);
  const key = await makeKey(["operator:read"]);
  const answer = await send({ method: "GET", url: "/v1/operator", key });
  const { disabledList, masterKeys, attempts, storeKind } = answer.json();
  assert.equal(disabledList[0].host, "r.example:8443");
  assert.ok(!answer.body.includes("secret?of"));
  assert.deepEqual(masterKeys, [{ id: "abcdefgh", encrypts: true }]);
  assert.equal(attempts[0].count, 1);
  assert.equal(storeKind, "sqlite");
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
