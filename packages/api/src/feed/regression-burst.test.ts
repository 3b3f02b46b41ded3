import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeliverySummary } from "@markethook/store";
import type { Actor } from "../auth/actor.ts";
import { createTestApp } from "../testing/test-app.ts";
import { DeliveryFeed, FEED_SETTINGS } from "./delivery-feed.ts";

test("a burst that began and ended between two readings is told as skipped, before what is told of it", async (t) => {
  const api = await createTestApp();
  await api.store.resources.put([{ id: "a", ownerId: "o-1", title: "T", subtitle: "" }]);
  const payload = { url: "https://r.example/", events: null };
  await api.send({ method: "POST", url: "/v1/resources/a/webhooks", payload });
  let made = 0;
  const ended = (seq: number) => ({
    seq,
    webhookNo: 1,
    mark: "ended 1",
    open: false,
    waiting: false,
    createdAt: 0,
  });
  const newest = () => Array.from({ length: Math.min(made, 200) }, (_, i) => ended(made - i));
  t.mock.method(api.store.log, "watch", async () => ({ now: 0, deliveries: newest(), full: [] }));
  t.mock.method(api.store.log, "summaries", async (seqs: readonly number[]) =>
    seqs.map((seq) => ({ seq, webhookNo: 1 })),
  );
  const feed = new DeliveryFeed(api.deps, { ...FEED_SETTINGS, everyMs: 1 });
  t.after(() => feed.close());
  const actor = { kind: "key", id: api.key, expiresAt: null } as Actor; // The feed looks at no more.
  t.mock.method(api.store.apiKeys, "list", async () => [{ id: api.key, hasEnded: false }]);
  let told: string[] = [];
  let onTold = Promise.withResolvers<void>();
  const tell = (what: string, isLast: boolean): void => {
    told.push(what);
    if (isLast) onTold.resolve();
  };
  await feed.open(
    actor,
    {},
    {
      delivery: ({ seq }: DeliverySummary) => tell(String(seq), seq === made),
      skipped: () => tell("skipped", false),
      end: () => {},
    },
  );
  made = 150;
  await onTold.promise;
  assert.deepEqual([told[0], told.length], ["1", 150]);
  onTold = Promise.withResolvers();
  told = [];
  made = 450;
  await onTold.promise;
  assert.deepEqual([told[0], told[1], told.length], ["skipped", "251", 201]);
});
