import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sampleDelivery } from "../testing/sample-delivery.ts";
import { createTestApp, START_MS, type TestApp } from "../testing/test-app.ts";

let api: TestApp;
beforeEach(async () => {
  api = await createTestApp();
  await api.world.log.ensureProfile({ serviceName: "Service", userAgent: "Markethook/1" });
});

const get = (url: string) => api.send({ method: "GET", url });
const post = (url: string, payload?: object) =>
  api.send({ method: "POST", url, ...(payload === undefined ? {} : { payload }) });

test("a delivery shows the exact request of each attempt, and what came back", async () => {
  const delivery = sampleDelivery(1);
  api.world.log.rows.push(delivery);
  const answer = await get(`/v1/deliveries/${delivery.deliveryId}`);
  assert.equal(answer.statusCode, 200);
  const { attemptList, payload, details, next } = answer.json();
  assert.deepEqual([payload.user.id, details.buyerName, next], [7, "Jo", null]);
  const [attempt] = attemptList;
  const body = `{"event":"product.user.purchase","time":1767323000,"nonce":"${"n".repeat(16)}","payload":${delivery.payload}}`;
  assert.equal(attempt.request.body, body);
  const headers = new Map<string, string>(attempt.request.headers);
  assert.equal(headers.get("Content-Length"), String(Buffer.byteLength(body)));
  assert.equal(headers.get("X-Service-Signature"), "5".repeat(64));
  assert.equal(headers.get("webhook-id"), delivery.eventId);
  assert.deepEqual(attempt.response, {
    status: 500,
    headers: [["Content-Type", "text/plain"]],
    body: "no",
  });
  assert.equal(attempt.operatorDetail, "peer 192.0.2.1");
});

test("what is for operators is not shown when acting for an owner", async () => {
  const delivery = sampleDelivery(1);
  api.world.log.rows.push(delivery);
  const answer = await get(`/v1/deliveries/${delivery.deliveryId}?ownerId=o-1`);
  assert.equal(answer.statusCode, 200);
  assert.ok(!answer.body.includes("192.0.2.1"));
});

test("another owner's delivery is as absent as one that never was", async () => {
  const delivery = sampleDelivery(1);
  api.world.log.rows.push(delivery);
  for (const id of [
    `${delivery.deliveryId}?ownerId=o-2`,
    "dlv_9abcdefghij",
    "dlv_0",
    "dlv_zzzzzzzzzzzabcdefghij",
  ]) {
    const answer = await get(`/v1/deliveries/${id}`);
    assert.deepEqual([answer.statusCode, answer.json().code], [404, "not_found"], id);
  }
});

test("an open delivery says when it is tried next, and why then", async () => {
  const reasons = new Map<string, string>();
  for (const state of ["pending", "waiting", "leased", "held", "delivered"] as const) {
    const delivery = sampleDelivery(api.world.log.rows.length + 1, {
      state,
      dueAt: START_MS + 5000,
      endedAt: null,
    });
    api.world.log.rows.push(delivery);
    const { next } = (await get(`/v1/deliveries/${delivery.deliveryId}`)).json();
    reasons.set(state, next?.reason ?? "");
    if (state === "pending") assert.equal(next.at, "2026-01-02T03:04:10.678Z");
  }
  assert.deepEqual(
    [...reasons.values()],
    [
      "The last attempt failed.",
      "An earlier event about the same buyer or resource has not ended yet.",
      "It is being sent now.",
      "The webhook is paused or disabled.",
      "",
    ],
  );
});

test("sender profiles are read once, because they never change", async () => {
  api.world.log.rows.push(sampleDelivery(1), sampleDelivery(2));
  for (const { deliveryId } of api.world.log.rows) await get(`/v1/deliveries/${deliveryId}`);
  assert.equal(api.world.log.profileReads, 1);
});

test("the list is filtered by everything a person looks for", async () => {
  api.world.log.rows.push(
    sampleDelivery(1),
    sampleDelivery(2, { state: "delivered", lastStatus: 200, userId: 8 }),
    sampleDelivery(3, {
      ownerId: "o-2",
      resourceId: "map-2",
      webhookId: "wh_00000000000000000002",
    }),
    sampleDelivery(4, {
      eventName: "product.update",
      userId: null,
      createdAt: START_MS - 86_400_000,
    }),
  );
  const seconds = Math.floor(START_MS / 1000);
  const expected: [string, number[]][] = [
    ["", [4, 3, 2, 1]],
    ["?state=delivered", [2]],
    ["?status=500", [4, 3, 1]],
    ["?statusClass=5", [4, 3, 1]],
    ["?statusClass=4", []],
    ["?userId=8", [2]],
    ["?ownerId=o-2", [3]],
    ["?resourceId=map-2", [3]],
    ["?webhookId=wh_00000000000000000002", [3]],
    ["?event=product.update", [4]],
    [`?from=${seconds}`, [3, 2, 1]],
    [`?to=${seconds}`, [4]],
    ["?event=ping", []],
  ];
  for (const [query, seqs] of expected) {
    const { items } = (await get(`/v1/deliveries${query}`)).json();
    const ids = items.map((item: { id: string }) => item.id);
    assert.deepEqual(
      ids,
      seqs.map((seq) => sampleDelivery(seq).deliveryId),
      query,
    );
  }
});

test("the list goes on where it stopped, with the same filter only", async () => {
  for (let seq = 1; seq <= 5; seq += 1) api.world.log.rows.push(sampleDelivery(seq));
  const first = (await get("/v1/deliveries?state=dead&limit=3")).json();
  const rest = (await get(`/v1/deliveries?state=dead&limit=3&cursor=${first.nextCursor}`)).json();
  assert.deepEqual([first.items.length, rest.items.length, rest.nextCursor], [3, 2, null]);
  const other = await get(`/v1/deliveries?limit=3&cursor=${first.nextCursor}`);
  assert.equal(other.json().code, "cursor_invalid");
});

test("a search finds by text what the owner may see, and says where it looked; an id is found as one", async () => {
  const payload = '{"order":"A-88213"}';
  api.world.log.rows.push(
    sampleDelivery(1, { payload }),
    sampleDelivery(2),
    sampleDelivery(3, { payload, ownerId: "o-2" }),
  );
  const found = (await get("/v1/deliveries?search=88213&ownerId=o-1")).json();
  assert.deepEqual(
    [found.items.length, found.items[0].id, found.nextCursor, found.searched],
    [1, sampleDelivery(1).deliveryId, null, { deliveries: 2, backTo: "2026-01-02T03:04:05.678Z" }],
  );
  const none = (await get("/v1/deliveries?search=88213&ownerId=o-3")).json();
  assert.deepEqual(none.searched, { deliveries: 0, backTo: null });
  const { eventId } = sampleDelivery(2);
  const byId = (await get(`/v1/deliveries?search=%20${eventId}%20`)).json();
  assert.deepEqual([byId.items.length, byId.searched], [1, undefined]);
});

test("a search by less than two characters or by more than 100 is refused", async () => {
  for (const search of ["", "x", "%20x%20", "x".repeat(101)]) {
    const answer = await get(`/v1/deliveries?search=${search}`);
    assert.deepEqual([answer.statusCode, answer.json().code], [400, "parameter_invalid"], search);
    assert.match(answer.body, /search/);
  }
});

test("the deliveries of one webhook are those of that webhook, if it is there", async () => {
  await api.world.resources.put([{ id: "map-1", ownerId: "o-1", title: "T", subtitle: "" }]);
  const made = await post("/v1/resources/map-1/webhooks", {
    url: "https://r.example/",
    events: null,
  });
  const { id } = made.json();
  api.world.log.rows.push(sampleDelivery(1), sampleDelivery(2, { webhookId: id }));
  const { items } = (await get(`/v1/webhooks/${id}/deliveries`)).json();
  assert.deepEqual(
    items.map((item: { webhookId: string }) => item.webhookId),
    [id],
  );
  const absent = await get("/v1/webhooks/wh_00000000000000000009/deliveries");
  assert.equal(absent.json().code, "not_found");
});

test("an ended delivery is sent again as a new one, and the dispatcher is woken", async () => {
  const delivery = sampleDelivery(1);
  api.world.log.rows.push(delivery);
  const answer = await post(`/v1/deliveries/${delivery.deliveryId}/redeliver`);
  assert.equal(answer.statusCode, 202);
  assert.notEqual(answer.json().deliveryId, delivery.deliveryId);
  assert.equal(api.world.wakes, 1);
});

test("a redelivery that should not be is refused, one out of order until it is confirmed", async () => {
  api.world.log.rows.push(
    sampleDelivery(1),
    sampleDelivery(2, { state: "pending", endedAt: null, userId: 8 }),
    sampleDelivery(3, { origin: "ping", userId: null }),
    sampleDelivery(4),
  );
  const expected = ["redelivery_out_of_order", "delivery_not_ended", "delivery_is_ping"];
  for (const [i, code] of expected.entries()) {
    const answer = await post(`/v1/deliveries/${sampleDelivery(i + 1).deliveryId}/redeliver`);
    assert.deepEqual([answer.statusCode, answer.json().code], [409, code]);
  }
  assert.equal(api.world.wakes, 0);
  const url = `/v1/deliveries/${sampleDelivery(1).deliveryId}/redeliver`;
  assert.equal((await post(url, { confirm: true })).statusCode, 202);
  assert.equal((await post(`${url}?ownerId=o-2`, { confirm: true })).json().code, "not_found");
});

test("a pending delivery is sent now, and the dispatcher is woken; an ended or held one is not", async () => {
  api.world.log.rows.push(
    sampleDelivery(1, { state: "pending", endedAt: null, dueAt: Number.MAX_SAFE_INTEGER }),
    sampleDelivery(2),
    sampleDelivery(3, { state: "held", endedAt: null }),
  );
  const url = (seq: number) => `/v1/deliveries/${sampleDelivery(seq).deliveryId}/send-now`;
  const answer = await post(url(1));
  assert.equal(answer.statusCode, 202);
  assert.deepEqual(answer.json(), { deliveryId: sampleDelivery(1).deliveryId, earlier: 0 });
  assert.equal(api.world.wakes, 1);
  assert.equal((await post(url(2))).json().code, "delivery_ended");
  assert.equal((await post(url(3))).json().code, "webhook_not_active");
  assert.equal((await post(`${url(1)}?ownerId=o-2`)).json().code, "not_found");
  assert.equal(api.world.wakes, 1);
});
