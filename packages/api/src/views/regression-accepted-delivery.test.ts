import assert from "node:assert/strict";
import { test } from "node:test";
import { type AttemptCount, hourOf, NO_REPLIES } from "@markethook/store";
import { START_MS, createTestApp } from "../testing/test-app.ts";
import { createWebhookViews } from "./webhook-view.ts";

const NO_ATTEMPT = { failed: 0, givenUp: 0, replies: NO_REPLIES, okEvents: 0 };
const ACCEPTED = { lastOutcome: "ok", lastStatus: 200 };

/** The service counts an attempt a moment before it stores the outcome, which ends the run of failures. */
test("a webhook whose newest delivery was accepted is not failing, and one that accepted only a ping or an earlier one is", async () => {
  const { deps, store } = await createTestApp();
  await store.resources.put([{ id: "map-1", ownerId: "o-1", title: "T", subtitle: "" }]);
  const input = { url: "https://r.example/", events: null, description: "", secret: "s" };
  await store.webhooks.create({ ...input, id: "wh_1", resourceId: "map-1", format: "json" }, null);
  const failing = { ...(await store.webhooks.get("wh_1", null)), failingSince: START_MS - 1000 };
  const failingSince = async (count: Pick<AttemptCount, "ok" | "lastAt" | "lastOkAt">) => {
    const counted = {
      webhookNo: failing.no,
      hour: hourOf(count.lastAt),
      ...NO_ATTEMPT,
      ...ACCEPTED,
    };
    const attemptCounts = { ...deps.attemptCounts, list: async () => [{ ...counted, ...count }] };
    const [view] = await createWebhookViews({ ...deps, attemptCounts }).many([failing]);
    return view?.failingSince;
  };
  const told = new Date(START_MS - 1000).toISOString();
  assert.equal(await failingSince({ ok: 1, lastAt: START_MS, lastOkAt: START_MS }), null);
  assert.equal(await failingSince({ ok: 0, lastAt: START_MS, lastOkAt: 0 }), told);
  assert.equal(await failingSince({ ok: 1, lastAt: START_MS, lastOkAt: START_MS - 2000 }), told);
  const before = START_MS - 1001;
  assert.equal(await failingSince({ ok: 1, lastAt: before, lastOkAt: before }), told);
});
