import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryStore } from "./memory-store.ts";

const CASTLE = { id: "castle", ownerId: "o-1", title: "Castle", subtitle: "" };

test("a store in memory has the test's clock, and nobody reads inside an open transaction", async () => {
  let now = 1000;
  const store = await openMemoryStore({ now: () => now });
  const put = store.resources.put([CASTLE]);
  let found = await store.resources.find("castle");
  while (found === null) found = await store.resources.find("castle");
  assert.equal(found.createdAt, 1000);
  assert.equal(store.rows("audit").length, 1, "what the transaction stores last is there too");
  await put;
  now += 500;
  assert.equal(await store.maintenance.now(), 1500);
  await store.close();
});

test("what was done meanwhile is undone, as often as is wished, and an error of it is thrown", async () => {
  const store = await openMemoryStore({ now: () => 1000 });
  await store.resources.put([CASTLE]);
  for (let count = 0; count < 2; count += 1) {
    const deleted = await store.undone(async () => {
      await store.resources.put([{ ...CASTLE, id: "tower" }]);
      return await store.resources.delete("castle");
    });
    assert.equal(deleted, true);
    assert.deepEqual(
      store.rows("resources").map(({ id }) => id),
      ["castle"],
    );
  }
  await assert.rejects(
    store.undone(() => Promise.reject(new Error("test"))),
    /^Error: test$/,
  );
  await store.resources.put([{ ...CASTLE, id: "tower" }]);
  assert.equal(store.rows("resources").length, 2);
  await store.close();
});

test("an error of the database comes as from a thread", async () => {
  const store = await openMemoryStore({ now: () => 1000 });
  const key = { id: "key_1", name: "n", scopes: [], hash: "h", expiresAt: null };
  await store.apiKeys.create(key);
  await assert.rejects(store.apiKeys.create(key), { code: "store_unavailable" });
  await store.close();
});
