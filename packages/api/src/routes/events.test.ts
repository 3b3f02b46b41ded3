import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createTestApp, START_MS, type TestApp } from "../testing/test-app.ts";

let api: TestApp;
beforeEach(async () => {
  api = await createTestApp();
  await api.store.resources.put([{ id: "map-1", ownerId: "o-1", title: "T", subtitle: "" }]);
});

const PURCHASE = { event: "product.user.purchase", user: { id: 7 } };
const UPDATE = {
  event: "product.update",
  update: { version: "1.1", id: "u2", size: 5, fileType: "zip", title: "New", description: "" },
};

async function report(payload: object, headers: Record<string, string> = {}, id = "map-1") {
  const answer = await api.send({
    method: "POST",
    url: `/v1/resources/${id}/events`,
    payload,
    headers: { authorization: `Bearer ${api.key}`, ...headers },
  });
  return { status: answer.statusCode, body: answer.json() };
}

async function batch(events: unknown[]) {
  const answer = await api.send({ method: "POST", url: "/v1/events", payload: { events } });
  return { status: answer.statusCode, body: answer.json() };
}

test("a reported event is answered 202 with its id and can be read back", async () => {
  const { status, body } = await report({
    ...PURCHASE,
    details: { buyerName: "Jo", amount: 4.99 },
  });
  assert.equal(status, 202);
  assert.equal(body.status, "accepted");
  assert.equal(body.deliveries, 0);
  const read = await api.send({ method: "GET", url: `/v1/events/${body.eventId}` });
  assert.deepEqual(read.json(), {
    id: body.eventId,
    resourceId: "map-1",
    event: "product.user.purchase",
    time: Math.floor(START_MS / 1000),
    userId: 7,
    erased: false,
    payload: {
      product: {
        id: "map-1",
        title: "T",
        subtitle: "",
        url: "https://market.example/resource/map-1",
      },
      user: { id: 7 },
    },
    details: { buyerName: "Jo", amount: 4.99 },
    acceptedAt: "2026-01-02T03:04:05.678Z",
  });
});

test("another owner's event is as absent as one that never was", async () => {
  const { body } = await report(PURCHASE);
  for (const url of [
    `/v1/events/${body.eventId}?ownerId=o-2`,
    "/v1/events/evt_9abcdefghij",
    "/v1/events/5",
  ]) {
    const answer = await api.send({ method: "GET", url });
    assert.deepEqual([answer.statusCode, answer.json().code], [404, "not_found"], url);
  }
  const own = await api.send({ method: "GET", url: `/v1/events/${body.eventId}?ownerId=o-1` });
  assert.equal(own.statusCode, 200);
});

test("a repeated key is a duplicate, with another event a conflict; header and body are one", async () => {
  const first = await report(PURCHASE, { "idempotency-key": "order-1" });
  assert.equal(first.status, 202);
  const again = await report({ ...PURCHASE, idempotencyKey: "order-1" });
  assert.deepEqual(again, {
    status: 200,
    body: { status: "duplicate", eventId: first.body.eventId },
  });
  const other = await report({ ...PURCHASE, user: { id: 8 } }, { "idempotency-key": "order-1" });
  assert.deepEqual([other.status, other.body.code], [409, "idempotency_key_reused"]);
  const both = await report({ ...PURCHASE, idempotencyKey: "b" }, { "idempotency-key": "a" });
  assert.deepEqual([both.status, both.body.code], [422, "idempotency_key_invalid"]);
});

test("an idempotency key is 1 to 255 printable ASCII characters, in either place", async () => {
  for (const key of ["", "é", "a\tb", "x".repeat(256), 5, null]) {
    const { body } = await report({ ...PURCHASE, idempotencyKey: key });
    assert.deepEqual([body.code, body.pointer], ["idempotency_key_invalid", "/idempotencyKey"]);
  }
  for (const key of ["", "\u00e9", "x".repeat(256)]) {
    const { body } = await report(PURCHASE, { "idempotency-key": key });
    assert.equal(body.code, "idempotency_key_invalid", key);
  }
});

test("each fault of an event has its code", async () => {
  const { update } = UPDATE;
  const faults: [object, string, string][] = [
    [{ ...PURCHASE, event: "ping" }, "event_unknown", "/event"],
    [{ ...PURCHASE, event: "resource.update" }, "event_unknown", "/event"],
    [{ user: { id: 1 } }, "event_unknown", "/event"],
    [{ ...PURCHASE, user: { id: "7" } }, "user_id_not_integer", "/user/id"],
    [{ ...PURCHASE, user: { id: 2 ** 53 } }, "user_id_not_integer", "/user/id"],
    [{ ...PURCHASE, user: { id: -1 } }, "user_id_not_integer", "/user/id"],
    [{ ...PURCHASE, user: { id: 0 } }, "user_id_not_integer", "/user/id"],
    [{ ...PURCHASE, user: { id: 1.5 } }, "user_id_not_integer", "/user/id"],
    [{ ...PURCHASE, user: {} }, "user_id_not_integer", "/user/id"],
    [{ event: PURCHASE.event }, "field_invalid", "/user"],
    [{ ...PURCHASE, update }, "field_unknown", "/update"],
    [{ ...PURCHASE, colour: "red" }, "field_unknown", "/colour"],
    [{ ...PURCHASE, user: { id: 7, name: "Jo" } }, "field_unknown", "/user/name"],
    [{ ...PURCHASE, occurredAt: "2026-01-01" }, "field_invalid", "/occurredAt"],
    [{ ...PURCHASE, occurredAt: START_MS }, "occurred_at_in_future", "/occurredAt"],
    [{ ...PURCHASE, details: { amount: [] } }, "field_invalid", "/details/amount"],
    [{ ...PURCHASE, details: { amount: 2 ** 53 } }, "field_invalid", "/details/amount"],
    [{ ...UPDATE, update: { ...update, size: "5 MB" } }, "field_invalid", "/update/size"],
    [{ ...UPDATE, update: { ...update, size: -5 } }, "field_invalid", "/update/size"],
    [{ ...UPDATE, update: { ...update, branch: "" } }, "field_invalid", "/update/branch"],
    [{ ...UPDATE, update: { ...update, id: "a b" } }, "field_invalid", "/update/id"],
    [{ ...UPDATE, user: { id: 1 } }, "field_unknown", "/user"],
    [UPDATE, "previous_unknown", "/previous"],
  ];
  for (const [event, code, pointer] of faults) {
    const { status, body } = await report(event);
    assert.deepEqual(
      [status, body.code, body.pointer],
      [422, code, pointer],
      JSON.stringify(event),
    );
  }
  const unknown = await report(PURCHASE, {}, "map-2");
  assert.deepEqual([unknown.status, unknown.body.code], [404, "resource_unknown"]);
  const malformed = await report(PURCHASE, {}, "a%20b");
  assert.deepEqual([malformed.status, malformed.body.code], [422, "resource_id_invalid"]);
  const page = { beforeSeq: null, limit: 1 };
  assert.deepEqual((await api.store.events.list({ ownerId: null }, page)).items, []);
});

test("a resource that comes along with its event needs no PUT before", async () => {
  const { status } = await report(
    { ...PURCHASE, resource: { title: "New", ownerId: "o-1" } },
    {},
    "map-9",
  );
  assert.equal(status, 202);
  assert.equal((await api.store.resources.find("map-9"))?.subtitle, "");
});

test("a file version comes along with the resource of an event", async () => {
  const fileVersion = { version: "1.0", id: "u1", time: 5, size: 4, fileType: "zip" };
  const resource = { title: "New", ownerId: "o-1", fileVersion };
  const { status } = await report({ ...PURCHASE, resource }, {}, "map-9");
  assert.equal(status, 202);
  assert.deepEqual((await api.store.resources.find("map-9"))?.fileVersion, {
    ...fileVersion,
    size: "4",
    branch: "release",
  });
});

test("a reused update id is a conflict that says what differs, alone and in a batch", async () => {
  const detail = "The stored update u2 has another `update.title`.";
  api.world.accept = async () => [{ kind: "rejected", code: "update_id_reused", detail }];
  const { status, body } = await report(UPDATE);
  assert.deepEqual(
    [status, body.code, body.pointer, body.detail.startsWith(detail)],
    [409, "update_id_reused", "/update/id", true],
  );
  const [result] = (await batch([{ resourceId: "map-1", ...UPDATE }])).body.results;
  assert.deepEqual(
    [result.code, result.pointer, result.detail],
    ["update_id_reused", "/events/0/update/id", body.detail],
  );
});

test("an update without a previous version is told what to send once", async () => {
  const { body } = await report(UPDATE);
  const [, member = ""] = /`("previous": .*?)`/.exec(body.detail) ?? [];
  assert.equal((await report({ ...UPDATE, ...JSON.parse(`{${member}}`) })).status, 202);
});

test("an update goes on with its details in place", async () => {
  const previous = { version: "1.0", id: "u1", time: 5, size: "4", fileType: "zip" };
  const { status, body } = await report({ ...UPDATE, previous });
  assert.equal(status, 202);
  const { payload } = (await api.send({ method: "GET", url: `/v1/events/${body.eventId}` })).json();
  assert.equal(payload.previous.branch, "release");
  assert.equal(payload.update.size, "5");
});

test("a batch gives each item its own result, and one bad item costs the others nothing", async () => {
  const { status, body } = await batch([
    { resourceId: "map-1", ...PURCHASE, idempotencyKey: "a" },
    { resourceId: "map-1", ...PURCHASE, idempotencyKey: "a" },
    { resourceId: "no way", ...PURCHASE },
    { resourceId: "map-1", event: "product.user.purchase", user: { id: "x" } },
    "nonsense",
    { resourceId: "map-2", ...PURCHASE },
    { resourceId: "map-1", ...UPDATE },
    { resourceId: "map-1", ...PURCHASE },
  ]);
  assert.equal(status, 202);
  assert.deepEqual(
    body.results.map((result: { status: string; code?: string; pointer?: string }) => [
      result.status,
      result.code,
      result.pointer,
    ]),
    [
      ["accepted", undefined, undefined],
      ["duplicate", undefined, undefined],
      ["rejected", "resource_id_invalid", "/events/2/resourceId"],
      ["rejected", "user_id_not_integer", "/events/3/user/id"],
      ["rejected", "field_invalid", "/events/4"],
      ["rejected", "resource_unknown", "/events/5/resourceId"],
      ["rejected", "previous_unknown", "/events/6/previous"],
      ["accepted", undefined, undefined],
    ],
  );
  assert.equal(body.results[1].eventId, body.results[0].eventId);
  assert.deepEqual(
    api.world.lines.map(({ level, fields }) => ({ level, ...fields, requestId: "" })),
    [
      {
        level: "info",
        requestId: "",
        items: 8,
        accepted: 2,
        duplicates: 1,
        rejected: 5,
        deliveries: 0,
        ms: 0,
      },
    ],
  );
});

test("one text that cannot be stored rejects its own item of a batch", async () => {
  const { status, body } = await batch([
    { resourceId: "map-1", ...PURCHASE, details: { buyerName: "a\0b" } },
    { resourceId: "map-1", ...PURCHASE, details: { buyerName: "constructor" } },
    { resourceId: "map-1", ...PURCHASE },
  ]);
  assert.equal(status, 202);
  assert.equal(body.results[0].code, "text_invalid");
  assert.equal(body.results[0].pointer, "/events/0/details/buyerName");
  assert.deepEqual(
    body.results.slice(1).map((result: { status: string }) => result.status),
    ["accepted", "accepted"],
  );
});

test("an event above 256 KiB is rejected as such, alone", async () => {
  const large = { ...UPDATE.update, description: "x".repeat(300_000) };
  const { body } = await batch([
    { resourceId: "map-1", event: "product.update", update: large },
    { resourceId: "map-1", ...PURCHASE },
  ]);
  assert.deepEqual([body.results[0].code, body.results[1].status], ["event_too_large", "accepted"]);
});

test("a batch of nothing, of too many, or with one key for all is refused whole", async () => {
  const empty = await batch([]);
  assert.deepEqual([empty.status, empty.body.code], [422, "field_invalid"]);
  const many = await batch(Array.from({ length: 1001 }, () => 1));
  assert.deepEqual(
    [many.status, many.body.code, many.body.pointer],
    [422, "batch_too_large", "/events"],
  );
  const keyed = await api.send({
    method: "POST",
    url: "/v1/events",
    payload: { events: [1] },
    headers: { authorization: `Bearer ${api.key}`, "idempotency-key": "a" },
  });
  assert.deepEqual([keyed.statusCode, keyed.json().code], [400, "header_invalid"]);
});

test("a batch of only bad items does not trouble the store", async () => {
  api.world.accept = () => Promise.reject(new Error("must not be called"));
  const { status, body } = await batch([{}, null]);
  assert.deepEqual([status, body.results.length], [202, 2]);
});
