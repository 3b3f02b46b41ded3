import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createClient, type EventItem } from "@markethook/client";
import { startGate } from "../gate.ts";
import { type RunningService, startRunningService } from "../running-service.ts";

let service: RunningService;
before(async () => {
  service = await startRunningService();
});
after(() => service.stop());

function purchases(resourceId: string, count: number): EventItem[] {
  return Array.from({ length: count }, (_, index) => ({
    resourceId,
    event: "product.user.purchase",
    user: { id: index + 1 },
  }));
}

test("of 2,500 events with one that is wrong, 2,499 are accepted and one is refused in its place", async () => {
  const client = createClient({ baseUrl: service.address, apiKey: service.apiKey });
  await client.resources.put("castle", { title: "Castle", ownerId: "o" });
  const items = purchases("castle", 2500);
  // As it comes from a program without types.
  items[1234] = { ...items[1234], user: { id: "x" } } as unknown as EventItem;
  const progress: unknown[] = [];
  const { results, ...tally } = await client.events.reportMany(items, {
    onProgress: ({ done, rejected, total }) => progress.push([done, rejected, total]),
  });
  assert.deepEqual(tally, { done: 2500, accepted: 2499, duplicates: 0, rejected: 1, failed: 0 });
  const wrong = results[1234];
  assert.ok(wrong?.status === "rejected");
  assert.deepEqual([wrong.code, wrong.pointer], ["user_id_not_integer", "/user/id"]);
  assert.ok(
    results.every(({ index, status }, i) => index === i && (i === 1234 || status === "accepted")),
  );
  assert.deepEqual(progress, [
    [1000, 0, 2500],
    [2000, 1, 2500],
    [2500, 1, 2500],
  ]);
});

test("nothing is reported twice when answers are lost", async (t) => {
  const direct = createClient({ baseUrl: service.address, apiKey: service.apiKey });
  await direct.resources.put("tower", { title: "Tower", ownerId: "o" });
  const webhook = await direct.webhooks.create("tower", { url: service.receiverUrl });
  // Held, so that what is stored can be counted.
  await direct.webhooks.pause(webhook.id);
  const gate = await startGate(service.address);
  t.after(() => gate.close());
  gate.treat = (number) => (number % 2 === 1 ? "lose" : "pass");
  const client = createClient({ baseUrl: gate.url, apiKey: service.apiKey, backoffMs: 1 });

  const single = await client.events.report("tower", {
    event: "product.user.purchase",
    user: { id: 1 },
  });
  assert.equal(single.status, "duplicate");
  const { results, failed } = await client.events.reportMany(purchases("tower", 250), {
    batchSize: 100,
  });
  assert.equal(failed, 0);
  // Each of the four reports was sent twice.
  assert.equal(gate.count, 8);
  const ids = new Set(results.map((result) => ("eventId" in result ? result.eventId : "")));
  assert.equal(ids.size, 250);
  const held = await Array.fromAsync(direct.deliveries.list({ webhookId: webhook.id }));
  assert.equal(held.length, 251);
});
