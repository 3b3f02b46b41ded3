import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actor } from "../auth/actor.ts";
import { createTestApp } from "../testing/test-app.ts";
import { DeliveryFeed } from "./delivery-feed.ts";

test("a reading for live pages has a bounded number of deliveries, however many webhooks are watched", async (t) => {
  const api = await createTestApp();
  const asked: { webhooks: number; each: number }[] = [];
  const scopes = (count: number) =>
    Array.from({ length: count }, (_, no) => ({
      no,
      id: `wh_${no}`,
      ownerId: "o",
      resourceId: "r",
    }));
  let count = 0;
  t.mock.method(api.store.webhooks, "scopes", async () => scopes(count));
  t.mock.method(api.store.log, "watch", async (nos: readonly number[], each: number) => {
    asked.push({ webhooks: nos.length, each });
    return { now: 0, deliveries: [], full: [] };
  });
  t.mock.method(api.store.apiKeys, "list", async () => [{ id: api.key, hasEnded: false }]);
  const actor = { kind: "key", id: api.key, expiresAt: null } as Actor; // The feed looks at no more.
  const watcher = { delivery: () => {}, skipped: () => {}, end: () => {} };
  for (count of [1, 25, 1000, 5000]) {
    const feed = new DeliveryFeed(api.deps);
    await feed.open(actor, {}, watcher);
    feed.close();
  }
  assert.deepEqual(
    asked.slice(0, 2).map(({ each }) => each),
    [200, 200],
  );
  for (const { webhooks, each } of asked) assert.ok(webhooks * each <= 5000, `${each}`);
  assert.ok(asked.every(({ each }) => each >= 1));
});
