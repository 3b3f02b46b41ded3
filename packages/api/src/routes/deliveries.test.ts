import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createTestApp, START_MS, type TestApp } from "../testing/test-app.ts";
import { purchase, TestSender } from "../testing/test-sender.ts";

const [FIRST, SECOND] = ["wh_00000000000000000001", "wh_00000000000000000002"];
const DETAILS = JSON.stringify({ buyerName: "Jo" });

let api: TestApp;
let sender: TestSender;
beforeEach(async () => {
  api = await createTestApp();
  sender = new TestSender(api.store);
  await api.store.log.ensureProfile({ serviceName: "Service", userAgent: "Markethook/1" });
  for (const [id, resourceId, ownerId] of [
    [FIRST, "map-1", "o-1"],
    [SECOND, "map-2", "o-2"],
  ] as const) {
    await api.store.resources.put([{ id: resourceId, ownerId, title: "T", subtitle: "" }]);
    const input = { url: "https://r.example/", events: null, description: "", secret: "s" };
    await api.store.webhooks.create({ ...input, id, resourceId, format: "json" }, null);
  }
});

const get = (url: string) => api.send({ method: "GET", url });
const post = (url: string, payload?: object) =>
  api.send({ method: "POST", url, ...(payload === undefined ? {} : { payload }) });

test("a delivery shows the exact request of each attempt, and what came back", async () => {
  const delivery = await sender.fail(purchase("map-1", 7, { details: DETAILS }));
  const answer = await get(`/v1/deliveries/${delivery.id}`);
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
  const delivery = await sender.fail(purchase("map-1", 7, { details: DETAILS }));
  const answer = await get(`/v1/deliveries/${delivery.id}?ownerId=o-1`);
  assert.equal(answer.statusCode, 200);
  assert.ok(!answer.body.includes("192.0.2.1"));
});

test("a delivery whose details are damaged is listed without them, among all others", async () => {
  await sender.fail(purchase("map-1", 7, { details: "{" }));
  await sender.fail(purchase("map-1", 8, { details: DETAILS }));
  const answer = await get("/v1/deliveries?ownerId=o-1");
  assert.equal(answer.statusCode, 200);
  const { items } = answer.json();
  assert.deepEqual(
    items.map(({ details }: { details: unknown }) => details),
    [{ buyerName: "Jo" }, null],
  );
});

test("a delivery whose texts are damaged is shown with what can be read, and so is its event", async () => {
  const { id, eventId, seq, eventSeq } = await sender.fail(purchase("map-1", 7));
  api.store.tamper(`update events set payload = '{', details = '{' where seq = ${eventSeq}`);
  api.store.tamper(`update ended set first_attempt = '{' where seq = ${seq}`);
  const answer = await get(`/v1/deliveries/${id}`);
  assert.equal(answer.statusCode, 200, answer.body);
  const { attemptList, createdAt, ...shown } = answer.json();
  assert.deepEqual([shown.payload, shown.details, shown.state], ["{", null, "dead"]);
  const [{ at, status, request, response }] = attemptList;
  assert.deepEqual([at, status, request, response.body], [createdAt, 500, null, null]);
  const event = (await get(`/v1/events/${eventId}`)).json();
  assert.deepEqual([event.id, event.payload, event.details], [eventId, "{", "{"]);
});

for (const detail of [
  '{"at":"now"}',
  '{"at":1,"profile":1,"url":"u"}',
  '{"at":1,"profile":"x"}',
  "5",
]) {
  test(`a delivery whose attempt is stored as ${detail} is shown with what can be read`, async () => {
    const { id, seq } = await sender.fail(purchase("map-1", 7));
    api.store.tamper(`update ended set first_attempt = '${detail}' where seq = ${seq}`);
    const answer = await get(`/v1/deliveries/${id}`);
    assert.equal(answer.statusCode, 200, answer.body);
    const [{ status, request }] = answer.json().attemptList;
    assert.deepEqual([status, request], [500, null]);
  });
}

test("a time that no calendar has is shown as the last one that has a name", async () => {
  const { seq } = await sender.fail(purchase("map-1", 7));
  api.store.tamper(`update ended set ended_at = ${Number.MAX_SAFE_INTEGER} where seq = ${seq}`);
  const { items } = (await get("/v1/deliveries?ownerId=o-1")).json();
  assert.equal(items[0].endedAt, "+275760-09-13T00:00:00.000Z");
});

test("another owner's delivery is as absent as one that never was", async () => {
  const delivery = await sender.fail(purchase("map-1", 7, { details: DETAILS }));
  for (const id of [
    `${delivery.id}?ownerId=o-2`,
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
  const pending = await sender.lease(purchase("map-1", 7));
  await sender.retry(pending, 5000);
  const waiting = await sender.report(purchase("map-1", 7));
  const leased = await sender.lease(purchase("map-1", 8));
  const held = await sender.lease(purchase("map-2", 7));
  const delivered = await sender.lease(purchase("map-2", 8));
  await sender.deliver(delivered);
  await api.store.webhooks.pause(SECOND, null);
  await sender.retry(held, 5000);
  const ids = { pending: pending.id, waiting, leased: leased.id, held: held.id };
  for (const [expected, id] of Object.entries({ ...ids, delivered: delivered.id })) {
    const { state, next } = (await get(`/v1/deliveries/${id}`)).json();
    assert.equal(state, expected);
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

test("sender profiles are read once, because they never change", async (t) => {
  const read = t.mock.method(api.store.log, "profiles");
  for (let count = 0; count < 2; count += 1) {
    const { id } = await sender.fail(purchase("map-1", 7));
    assert.equal((await get(`/v1/deliveries/${id}`)).statusCode, 200);
  }
  assert.equal(read.mock.callCount(), 1);
});

test("the list is filtered by everything a person looks for", async () => {
  api.world.nowMs = START_MS - 86_400_000;
  const version = {
    version: "1",
    id: "u1",
    time: 5,
    size: "4",
    fileType: "zip",
    branch: "release",
  };
  const made = [
    await sender.fail({
      resourceId: "map-1",
      name: "product.update",
      time: 5,
      tag: "abcdefghij",
      update: { ...version, id: "u2", title: "New", description: "" },
      previous: version,
    }),
  ];
  api.world.nowMs = START_MS;
  made.push(await sender.fail(purchase("map-1", 7)), await sender.lease(purchase("map-1", 8)));
  await sender.deliver(made[2] ?? assert.fail());
  made.push(await sender.fail(purchase("map-2", 7)));
  const seconds = Math.floor(START_MS / 1000);
  const expected: [string, number[]][] = [
    ["", [3, 2, 1, 0]],
    ["?state=delivered", [2]],
    ["?status=500", [3, 1, 0]],
    ["?statusClass=5", [3, 1, 0]],
    ["?statusClass=4", []],
    ["?userId=8", [2]],
    ["?ownerId=o-2", [3]],
    ["?resourceId=map-2", [3]],
    ["?webhookId=wh_00000000000000000002", [3]],
    ["?event=product.update", [0]],
    [`?from=${seconds}`, [3, 2, 1]],
    [`?to=${seconds}`, [0]],
    ["?event=ping", []],
  ];
  for (const [query, places] of expected) {
    const { items } = (await get(`/v1/deliveries${query}`)).json();
    const ids = items.map((item: { id: string }) => item.id);
    assert.deepEqual(
      ids,
      places.map((place) => made[place]?.id),
      query,
    );
  }
});

test("the list goes on where it stopped, with the same filter only", async () => {
  for (let count = 0; count < 5; count += 1) await sender.fail(purchase("map-1", 7));
  const first = (await get("/v1/deliveries?state=dead&limit=3")).json();
  const rest = (await get(`/v1/deliveries?state=dead&limit=3&cursor=${first.nextCursor}`)).json();
  assert.deepEqual([first.items.length, rest.items.length, rest.nextCursor], [3, 2, null]);
  const other = await get(`/v1/deliveries?limit=3&cursor=${first.nextCursor}`);
  assert.equal(other.json().code, "cursor_invalid");
});

test("a search finds by text what the owner may see, and says where it looked; an id is found as one", async () => {
  const details = '{"order":"A-88213"}';
  const { id } = await sender.fail(purchase("map-1", 7, { details }));
  const { eventId } = await sender.fail(purchase("map-1", 7));
  await sender.fail(purchase("map-2", 7, { details }));
  const found = (await get("/v1/deliveries?search=88213&ownerId=o-1")).json();
  assert.deepEqual(
    [found.items.length, found.items[0].id, found.nextCursor, found.searched],
    [1, id, null, { deliveries: 2, backTo: "2026-01-02T03:04:05.678Z" }],
  );
  const none = (await get("/v1/deliveries?search=88213&ownerId=o-3")).json();
  assert.deepEqual(none.searched, { deliveries: 0, backTo: null });
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
  await sender.fail(purchase("map-1", 7));
  const made = await post("/v1/resources/map-1/webhooks", {
    url: "https://r.example/",
    events: null,
  });
  const { id } = made.json();
  await api.store.events.accept([purchase("map-1", 7)], null);
  const { items } = (await get(`/v1/webhooks/${id}/deliveries`)).json();
  assert.deepEqual(
    items.map((item: { webhookId: string }) => item.webhookId),
    [id],
  );
  const absent = await get("/v1/webhooks/wh_00000000000000000009/deliveries");
  assert.equal(absent.json().code, "not_found");
});

test("an ended delivery is sent again as a new one, and the dispatcher is woken", async () => {
  const delivery = await sender.fail(purchase("map-1", 7, { details: DETAILS }));
  const answer = await post(`/v1/deliveries/${delivery.id}/redeliver`);
  assert.equal(answer.statusCode, 202);
  assert.notEqual(answer.json().deliveryId, delivery.id);
  assert.equal(api.world.wakes, 1);
});

test("a redelivery that should not be is refused, one out of order until it is confirmed", async () => {
  const overtaken = await sender.fail(purchase("map-1", 7));
  const pending = await sender.lease(purchase("map-1", 8));
  await sender.retry(pending, 5000);
  const ping = await sender.ping(FIRST, "map-1");
  await sender.deliver(await sender.lease(purchase("map-1", 7)));
  const ids = [overtaken.id, pending.id, ping];
  const expected = ["redelivery_out_of_order", "delivery_not_ended", "delivery_is_ping"];
  for (const [i, code] of expected.entries()) {
    const answer = await post(`/v1/deliveries/${ids[i]}/redeliver`);
    assert.deepEqual([answer.statusCode, answer.json().code], [409, code]);
  }
  assert.equal(api.world.wakes, 0);
  const url = `/v1/deliveries/${overtaken.id}/redeliver`;
  assert.equal((await post(url, { confirm: true })).statusCode, 202);
  assert.equal((await post(`${url}?ownerId=o-2`, { confirm: true })).json().code, "not_found");
});

test("a pending delivery is sent now, and the dispatcher is woken; an ended or held one is not", async () => {
  const pending = await sender.lease(purchase("map-1", 7));
  await sender.retry(pending, 86_400_000);
  const ended = await sender.fail(purchase("map-1", 8));
  const held = await sender.lease(purchase("map-2", 7));
  await api.store.webhooks.pause(SECOND, null);
  await sender.retry(held, 86_400_000);
  const url = ({ id }: { id: string }) => `/v1/deliveries/${id}/send-now`;
  const answer = await post(url(pending));
  assert.equal(answer.statusCode, 202);
  assert.deepEqual(answer.json(), { deliveryId: pending.id, earlier: 0 });
  assert.equal(api.world.wakes, 1);
  assert.equal((await post(url(ended))).json().code, "delivery_ended");
  assert.equal((await post(url(held))).json().code, "webhook_not_active");
  assert.equal((await post(`${url(pending)}?ownerId=o-2`)).json().code, "not_found");
  assert.equal(api.world.wakes, 1);
});
