import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { isRejection, toAcceptItem, type EventInput } from "./event-input.ts";

const NOW = 1_767_323_045;
const context = { now: NOW, randomBytes };
const purchase: EventInput = { event: "product.user.purchase", user: { id: 7 } };
const update: EventInput = {
  event: "product.update",
  update: { version: "1.1", id: "u2", size: 5, fileType: "zip", title: "New", description: "Text" },
};

function accepted(input: EventInput, key?: string, resourceId = "map-1") {
  const item = toAcceptItem(resourceId, input, key, context);
  assert.ok(!isRejection(item), JSON.stringify(item));
  return item;
}

function rejected(input: EventInput) {
  const rejection = toAcceptItem("map-1", input, undefined, context);
  assert.ok(isRejection(rejection));
  return [rejection.code, rejection.pointer];
}

function hashOf(input: EventInput, resourceId?: string): string {
  const item = accepted(input, "k", resourceId);
  assert.ok(item.idempotency);
  return item.idempotency.bodyHash;
}

test("an event without a time happened now, and its file version is as old", () => {
  assert.equal(accepted(purchase).time, NOW);
  assert.equal(accepted(update).update?.time, NOW);
  const then = { ...update, occurredAt: NOW - 100 };
  assert.equal(accepted(then).time, NOW - 100);
  assert.equal(accepted(then).update?.time, NOW - 100);
  assert.equal(accepted(then).updateTimeIsDefault, true);
  assert.ok(update.update);
  const timed = accepted({ ...update, update: { ...update.update, time: 5 } });
  assert.deepEqual([timed.update?.time, timed.updateTimeIsDefault], [5, undefined]);
});

test("a file version is completed and ordered as the specification has it", () => {
  assert.equal(
    JSON.stringify(accepted(update).update),
    `{"version":"1.1","id":"u2","time":${NOW},"size":"5","fileType":"zip","branch":"release","title":"New","description":"Text"}`,
  );
});

test("user events need a user and take no file versions, updates the reverse", () => {
  assert.deepEqual(rejected({ event: "product.user.firstDownload" }), ["field_invalid", "/user"]);
  assert.deepEqual(rejected({ event: "product.update" }), ["field_invalid", "/update"]);
  assert.deepEqual(rejected({ ...update, user: { id: 1 } }), ["field_unknown", "/user"]);
  const both = { ...update, event: "product.user.purchase" as const, user: { id: 1 } };
  assert.deepEqual(rejected(both), ["field_unknown", "/update"]);
});

test("an event may be five minutes ahead and not a second more", () => {
  assert.equal(accepted({ ...purchase, occurredAt: NOW + 300 }).time, NOW + 300);
  assert.deepEqual(rejected({ ...purchase, occurredAt: NOW + 301 }), [
    "occurred_at_in_future",
    "/occurredAt",
  ]);
});

test("the size that counts is the JSON's, not the text's", () => {
  assert.ok(update.update);
  const plain = { ...update.update, description: "x".repeat(60_000) };
  accepted({ ...update, update: plain });
  const escaped = { ...update.update, description: "\u0001".repeat(60_000) };
  assert.deepEqual(rejected({ ...update, update: escaped }), ["event_too_large", undefined]);
});

test("minus zero is the user zero", () => {
  assert.ok(Object.is(accepted({ ...purchase, user: { id: -0 } }).userId, 0));
});

test("the same report has the same hash, however it is written", () => {
  assert.ok(update.update);
  const digits = { ...update, update: { ...update.update, size: "5", branch: "release" } };
  assert.equal(hashOf(update), hashOf(digits));
  const reordered: EventInput = { user: { id: 7 }, event: "product.user.purchase" };
  assert.equal(hashOf(purchase), hashOf(reordered));
  const renamed = { ...purchase, resource: { title: "New name", ownerId: "o" } };
  assert.equal(hashOf(purchase), hashOf(renamed));
});

test("another report has another hash", () => {
  assert.ok(update.update);
  const all = [
    hashOf(purchase),
    hashOf(purchase, "map-2"),
    hashOf({ ...purchase, event: "product.user.purchaseRemoved" }),
    hashOf({ ...purchase, user: { id: 8 } }),
    hashOf({ ...purchase, occurredAt: NOW }),
    hashOf({ ...purchase, details: { orderId: "1" } }),
    hashOf(update),
    hashOf({ ...update, update: { ...update.update, time: NOW } }),
    hashOf({ ...update, update: { ...update.update, description: "Other" } }),
  ];
  assert.equal(new Set(all).size, all.length);
});
