import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { makeApiKey } from "@markethook/api";
import { openPostgres } from "@markethook/store";
import { createTestDatabase } from "@markethook/store/testing";
import { ensureFirstKey } from "./first-key.ts";

test("instances that start at the same time with one MARKETHOOK_API_KEY all start", async (t) => {
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  const masterKeys = [randomBytes(32)];
  const store = await openPostgres({ url, baseUrl: "https://market.example", masterKeys });
  t.after(() => store.close());
  const key = makeApiKey(randomBytes);
  const starts = [1, 2, 3].map(() => ensureFirstKey(store.apiKeys, key, randomBytes, () => {}));
  assert.deepEqual(await Promise.all(starts), [null, null, null]);
  assert.equal((await store.apiKeys.list()).length, 1);
});
