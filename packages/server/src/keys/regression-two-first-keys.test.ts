import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import { makeApiKey } from "@markethook/api";
import { openPostgres } from "@markethook/store";
import { createTestDatabase } from "@markethook/store/testing";
import { makeFirstKey, storeGivenKey } from "./first-key.ts";

async function emptyStore(t: TestContext) {
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  const masterKeys = [randomBytes(32)];
  const store = await openPostgres({ url, baseUrl: "https://market.example", masterKeys });
  t.after(() => store.close());
  return store;
}

test("instances that start at the same time with one MARKETHOOK_API_KEY all start", async (t) => {
  const store = await emptyStore(t);
  const key = makeApiKey(randomBytes);
  await Promise.all([1, 2, 3].map(() => storeGivenKey(store.apiKeys, key, randomBytes, () => {})));
  assert.equal((await store.apiKeys.list()).length, 1);
});

test("of instances that start at the same time without a key one makes the first one", async (t) => {
  const store = await emptyStore(t);
  const starts = [1, 2, 3].map(() => makeFirstKey(store.apiKeys, randomBytes));
  const made = (await Promise.all(starts)).filter((key) => key !== null);
  assert.equal(made.length, 1);
  const [stored, ...others] = await store.apiKeys.list();
  assert.deepEqual([stored?.name, others], ["first key", []]);
  assert.deepEqual(
    (await store.audit.list({ ownerId: null }, { beforeSeq: null, limit: 10 })).items.map(
      ({ action }) => action,
    ),
    ["api_key.create"],
  );
});
