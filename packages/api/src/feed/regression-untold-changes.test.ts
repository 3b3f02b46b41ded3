import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actor } from "../auth/actor.ts";
import { createTestApp } from "../testing/test-app.ts";
import { DeliveryFeed, FEED_SETTINGS } from "./delivery-feed.ts";

test("changes that were seen and could not be read are told as skipped by the next reading", async (t) => {
  const api = await createTestApp();
  await api.store.resources.put([{ id: "a", ownerId: "o-1", title: "T", subtitle: "" }]);
  const payload = { url: "https://r.example/", events: null };
  await api.send({ method: "POST", url: "/v1/resources/a/webhooks", payload });
  let mark = "leased 0";
  const one = { seq: 1, webhookNo: 1, open: true, waiting: false, createdAt: 0 };
  t.mock.method(api.store.log, "watch", async () => ({
    now: 0,
    deliveries: [{ ...one, mark }],
    full: [],
  }));
  t.mock.method(api.store.log, "summaries", async () => {
    throw new Error("no database");
  });
  const feed = new DeliveryFeed(api.deps, { ...FEED_SETTINGS, everyMs: 1 });
  t.after(() => feed.close());
  const actor = { kind: "key", id: api.key, expiresAt: null } as Actor; // The feed looks at no more.
  t.mock.method(api.store.apiKeys, "list", async () => [{ id: api.key, hasEnded: false }]);
  const skipped = Promise.withResolvers<void>();
  const watcher = { delivery: () => {}, skipped: () => skipped.resolve(), end: () => {} };
  await feed.open(actor, {}, watcher);
  mark = "pending 1";
  const late = AbortSignal.timeout(60_000);
  late.addEventListener("abort", () => skipped.reject(new Error("nothing was told")));
  await skipped.promise;
  assert.ok(api.world.faults.some(({ where }) => where === "read live deliveries"));
});
