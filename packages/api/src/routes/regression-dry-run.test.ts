import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestApp } from "../testing/test-app.ts";

test("in a dry run nothing is made due that would not be sent, and what is still sent goes on", async () => {
  const api = await createTestApp({
    dryRun: true,
    mayGo: async (url) => url === "https://own.example/",
  });
  await api.store.resources.put([{ id: "a", ownerId: "o-1", title: "T", subtitle: "" }]);
  const post = async (url: string, payload: object = {}) =>
    await api.send({ method: "POST", url, payload });
  const range = { from: 1_700_000_000, to: 1_800_000_000 };
  for (const [url, isSent] of [
    ["https://seller.example/", false],
    ["https://own.example/", true],
  ] as const) {
    const { id } = (await post("/v1/resources/a/webhooks", { url, events: null })).json();
    const user = { id: isSent ? 2 : 1 };
    await post("/v1/resources/a/events", { event: "product.user.purchase", user });
    const { items } = (await api.send({ method: "GET", url: "/v1/deliveries" })).json();
    const delivery = items.find((one: { webhookId: string }) => one.webhookId === id).id;
    const codes: (string | undefined)[] = [];
    for (const [path, body] of [
      [`/v1/deliveries/${delivery}/send-now`, {}],
      [`/v1/deliveries/${delivery}/redeliver`, {}],
      [`/v1/webhooks/${id}/send-waiting`, {}],
      [`/v1/webhooks/${id}/replay`, range],
    ] as const) {
      codes.push((await post(path, body)).json().code);
    }
    assert.deepEqual(
      codes,
      isSent
        ? [undefined, "delivery_not_ended", undefined, undefined]
        : ["dry_run", "dry_run", "dry_run", "dry_run"],
    );
    // Counting is no sending.
    const counted = await post(`/v1/webhooks/${id}/replay`, { ...range, dryRun: true });
    assert.equal(counted.statusCode, 200);
  }
});
