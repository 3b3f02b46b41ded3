/**
 * While a hundred thousand webhooks were asked to wait, each claim sent all their numbers to the server, which compared
 * them with each webhook that it came to: a tenth of a second, and so it seemed slow for want of a vacuum.
 */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Client } from "pg";
import { claim } from "../conformance/settlements.ts";
import { openOneWebhook } from "./open-harness.ts";

test("a claim sends few numbers of full webhooks, however many there are", async (t) => {
  const { store } = await openOneWebhook(t);
  const { instanceNo } = await store.instances.start("one", "1");
  const full = Array.from({ length: 10_000 }, (_, index) => index + 1);
  const query = mock.method(Client.prototype, "query");
  await store.deliveries.claim({ ...claim(instanceNo), full });
  query.mock.restore();
  const sent = query.mock.calls.map((call) => JSON.stringify(call.arguments).length);
  assert.ok(sent.length > 0 && Math.max(...sent) < 5000, String(sent));
});
