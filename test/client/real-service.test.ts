import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { ApiError, type Client, createClient } from "@markethook/client";
import { shownUrl } from "@markethook/protocol";
import { type RunningService, startRunningService } from "../running-service.ts";

let service: RunningService;
let client: Client;
before(async () => {
  service = await startRunningService();
  client = createClient({ baseUrl: service.address, apiKey: service.apiKey });
});
after(() => service.stop());

const FILE_VERSION = { version: "1.0", id: "u1", time: 1_767_323_045, size: 10, fileType: "zip" };

test("resources are put, listed over pages, read and deleted", async () => {
  const resource = { title: "Castle", ownerId: "o-1", fileVersion: FILE_VERSION };
  assert.deepEqual(await client.resources.put("castle", resource), {
    id: "castle",
    status: "created",
  });
  const items = Array.from({ length: 7 }, (_, i) => ({
    id: `r-${i}`,
    title: `R ${i}`,
    ownerId: i < 3 ? "o-1" : "o-2",
  }));
  const told: number[] = [];
  const results = await client.resources.putMany(items, {
    batchSize: 3,
    onProgress: ({ done }) => told.push(done),
  });
  assert.deepEqual([results.length, told], [7, [3, 6, 7]]);
  const ids = [];
  for await (const { id } of client.resources.list({ pageSize: 3 })) ids.push(id);
  assert.deepEqual(ids, ["castle", ...items.map(({ id }) => id)]);
  const theirs = await Array.fromAsync(client.forOwner("o-2").resources.list());
  assert.equal(theirs.length, 4);
  assert.equal((await client.resources.get("castle")).fileVersion?.size, "10");
  await client.resources.delete("r-6");
  await assert.rejects(client.resources.get("r-6"), { code: "not_found", status: 404 });
});

test("a refused resource is pointed to by its place among all", async () => {
  const items = Array.from({ length: 5 }, (_, i) => ({ id: `p-${i}`, title: "x", ownerId: "o-1" }));
  if (items[4] !== undefined) items[4].title = "";
  await assert.rejects(client.resources.putMany(items, { batchSize: 2 }), {
    code: "field_invalid",
    pointer: "/items/4/title",
  });
});

test("a webhook's whole instance: created, changed, copied, pinged, rotated, paused, resumed, deleted", async () => {
  const { webhooks, secrets } = client.forOwner("o-1");
  const created = await webhooks.create("castle", { url: service.receiverUrl });
  assert.match(created.secret ?? "", /^[A-Za-z0-9]{48}$/);
  assert.deepEqual(await secrets.reveal(created.id), { current: created.secret, next: null });
  const changed = await webhooks.change(created.id, { events: ["product.user.purchase"] });
  assert.deepEqual(changed.events, ["product.user.purchase"]);

  const copies = await webhooks.copy(created.id, ["r-0", "r-5"]);
  assert.deepEqual(
    copies.map(({ status }) => status),
    ["created", "rejected"],
  );
  const listed = await Array.fromAsync(webhooks.list({ pageSize: 1 }));
  assert.equal(listed.length, 2);
  assert.equal((await Array.fromAsync(webhooks.list({ resourceId: "castle" }))).length, 1);

  const ping = await webhooks.ping(created.id);
  assert.deepEqual([ping.outcome, ping.status], ["ok", 204]);
  await assert.rejects(webhooks.ping(created.id, { secret: "next" }), {
    code: "rotation_not_open",
  });
  const { secret } = await secrets.rotate(created.id);
  assert.equal((await secrets.reveal(created.id)).next, secret);
  assert.equal((await secrets.cancelRotation(created.id)).rotation, null);
  await secrets.rotate(created.id, { overlapSeconds: null });
  await secrets.switch(created.id);
  assert.notEqual((await secrets.reveal(created.id)).current, created.secret);

  assert.equal((await webhooks.pause(created.id)).state, "paused");
  assert.equal((await webhooks.resume(created.id, "send")).state, "active");
  await webhooks.delete(created.id);
  await assert.rejects(webhooks.get(created.id), { code: "not_found" });
});

test("an event's delivery is found, shown with its requests, redelivered and replayed", async () => {
  await client.resources.put("tower", { title: "Tower", ownerId: "o-3" });
  const { id: webhookId } = await client.webhooks.create("tower", { url: service.receiverUrl });
  const event = { event: "product.user.purchase", user: { id: 4711 } } as const;
  const key = { idempotencyKey: "order-1" };
  const arrivals = service.receiver.arrivals.length;
  const reported = await client.events.report("tower", event, key);
  assert.equal(reported.status, "accepted");
  const { eventId } = reported;
  assert.deepEqual(await client.events.report("tower", event, key), {
    status: "duplicate",
    eventId,
  });
  await assert.rejects(
    client.events.report("tower", { ...event, user: { id: 1 } }, key),
    (error) => error instanceof ApiError && error.code === "idempotency_key_reused",
  );
  assert.equal((await client.events.get(eventId)).userId, 4711);

  await service.receiver.until(() => service.receiver.arrivals.length > arrivals);
  const delivery = await delivered(webhookId);
  const detail = await client.deliveries.get(delivery.id);
  assert.equal(detail.attemptList[0]?.request?.url, shownUrl(service.receiverUrl));
  const again = await client.deliveries.redeliver(delivery.id);
  assert.notEqual(again.deliveryId, delivery.id);
  await service.receiver.until(() => service.receiver.arrivals.length > arrivals + 1);

  const range = { from: 0, to: 253_402_300_799, states: ["delivered" as const] };
  const { count } = await client.replay.count(webhookId, range);
  assert.ok(count >= 1);
  const cursors: (string | null)[] = [];
  const { sent } = await client.replay.run(webhookId, range, {
    onProgress: ({ cursor }) => cursors.push(cursor),
  });
  assert.ok(sent >= 1);
  assert.equal(cursors.at(-1), null);
});

test("a redelivery has the details that its webhook wants since, the first request stays as it was, and an erasure ends both", async () => {
  await client.resources.put("moat", { title: "Moat", ownerId: "o-4" });
  const { id: webhookId } = await client.webhooks.create("moat", { url: service.receiverUrl });
  const details = { buyerName: "Quirina", amount: 4.5 };
  const user = { id: 8128 };
  await client.events.report("moat", { event: "product.user.purchase", user, details });
  const first = await delivered(webhookId);
  const changed = await client.webhooks.change(webhookId, { includeDetails: true });
  assert.equal(changed.includeDetails, true);
  const second = await client.deliveries.redeliver(first.id);
  const bodyOf = async (id: string): Promise<string | undefined> => {
    const { attemptList } = await client.deliveries.get(id);
    return attemptList[0]?.request?.body;
  };
  while ((await client.deliveries.get(second.deliveryId)).state !== "delivered") await pause(10);
  const ends = [
    `"user":{"id":8128}}}`,
    `"user":{"id":8128},"details":${JSON.stringify(details)}}}`,
  ];
  for (const [index, id] of [first.id, second.deliveryId].entries()) {
    const body = (await bodyOf(id)) ?? "";
    assert.ok(body.endsWith(ends[index] ?? ""), body);
  }

  await client.users.erase(user.id);
  for (const id of [first.id, second.deliveryId]) {
    const { attemptList, details: left } = await client.deliveries.get(id);
    assert.deepEqual([attemptList[0]?.request, attemptList[0]?.erased, left], [null, true, null]);
  }
});

test("notices are read to their end, and followed", async () => {
  await client.resources.put("tower", { title: "Tower", ownerId: "o-4" });
  const notices = await Array.fromAsync(client.notices.list());
  assert.ok(notices.some(({ kind }) => kind === "owner_changed"));
  const last = notices.at(-1)?.no ?? 0;
  assert.deepEqual(await Array.fromAsync(client.notices.list({ after: last })), []);

  const stop = new AbortController();
  const followed: number[] = [];
  await assert.rejects(
    async () => {
      for await (const { no } of client.notices.follow({
        after: last - 1,
        intervalMs: 1,
        signal: stop.signal,
      })) {
        followed.push(no);
        if (followed.length === 1)
          await client.resources.put("tower", { title: "T", ownerId: "o-5" });
        else stop.abort();
      }
    },
    { name: "AbortError" },
  );
  assert.equal(followed[0], last);
  assert.ok(followed.length >= 2);
});

test("keys are made, listed and revoked, and a key that lacks a scope is told so", async () => {
  const { id, key } = await client.apiKeys.create({ name: "shop", scopes: ["resources:read"] });
  assert.ok((await client.apiKeys.list()).some((one) => one.id === id));
  const narrow = createClient({ baseUrl: `${service.address}/v1`, apiKey: key });
  await narrow.resources.get("castle");
  await assert.rejects(narrow.apiKeys.list(), { code: "scope_missing", status: 403 });
  await client.apiKeys.revoke(id);
  const wrong = createClient({ baseUrl: service.address, apiKey: "mh_wrong" });
  await assert.rejects(wrong.resources.get("castle"), { code: "unauthenticated", status: 401 });
});

test("health and readiness need no key, and every route is there by its path", async () => {
  const { health, readiness, api } = createClient({ baseUrl: service.address, apiKey: null });
  assert.deepEqual(await health(), { status: "alive" });
  assert.equal((await readiness()).status, "ready");
  const { data, response } = await api.GET("/metrics", {
    parseAs: "text",
    headers: { accept: "text/plain" },
  });
  assert.equal(response.status, 200);
  assert.match(data ?? "", /^markethook_/m);
});

/** The webhook's first delivery, once its outcome is stored. */
async function delivered(webhookId: string) {
  for (;;) {
    const [delivery] = await Array.fromAsync(
      client.deliveries.list({ webhookId, state: "delivered" }),
    );
    if (delivery !== undefined) return delivery;
    await pause(10);
  }
}
