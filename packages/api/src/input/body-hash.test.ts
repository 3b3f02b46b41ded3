import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { isRejection, toAcceptItem, type EventInput } from "./event-input.ts";

const context = { now: 1_767_323_045, randomBytes };
const version = { version: "1.1", id: "u2", time: 5, size: "5", fileType: "zip", branch: "beta" };
const details = { buyerName: "Ann", amount: 12.5, currency: "EUR", orderId: "o-1", reason: "gift" };
const purchase: EventInput = {
  event: "product.user.purchase",
  user: { id: 7 },
  occurredAt: 1_767_323_000,
  details,
};
const update: EventInput = {
  event: "product.update",
  update: { ...version, title: "New", description: "Text" },
  previous: { ...version, id: "u1" },
};

function hashOf(input: object): string {
  // The members of later versions are not in today's type.
  const item = toAcceptItem("map-1", input as EventInput, "k", context);
  assert.ok(!isRejection(item) && item.idempotency, JSON.stringify(item));
  return item.idempotency.bodyHash;
}

test("the hashes that databases hold are still made", () => {
  assert.deepEqual(
    [hashOf(purchase), hashOf(update)],
    [
      "cNbcW30dofYtqljC2qQbpSPF7rO9vKhDk5yeITMz1Mo=",
      "UKUYXrDAXHxSgf4eKQSbyJfYacB0K+WIqTSONgB1po0=",
    ],
  );
});

test("each member counts, except a resource's present names and the key", () => {
  for (const whole of [purchase, update]) {
    for (const [name, value] of Object.entries(whole)) {
      if (typeof value !== "object") continue;
      for (const part of Object.keys(value)) {
        const changed = { ...whole, [name]: { ...value, [part]: "8" } };
        assert.notEqual(hashOf(changed), hashOf(whole), `/${name}/${part}`);
      }
    }
  }
  const resource = { title: "Castle", ownerId: "owner-1" };
  assert.equal(hashOf({ ...purchase, resource, idempotencyKey: "k" }), hashOf(purchase));
});

test("a member that a later version adds counts from the beginning, wherever it stands", () => {
  const later = [
    purchase,
    { ...purchase, gift: true },
    { ...purchase, gift: false },
    { ...purchase, later: { rating: 4 } },
    { ...purchase, later: { rating: 5 } },
    { ...purchase, user: { id: 7, country: "DE" } },
    { ...purchase, details: { ...details, country: "DE" } },
    { ...update, update: { ...update.update, license: "MIT" } },
    { ...update, previous: { ...update.previous, license: "MIT" } },
  ].map(hashOf);
  assert.equal(new Set(later).size, later.length);
});

test("the order of members that a later version adds does not count", () => {
  const one = { ...purchase, gift: true, later: { rating: 4, text: "Good" } };
  const other = { later: { text: "Good", rating: 4 }, gift: true, ...purchase };
  assert.equal(hashOf(one), hashOf(other));
});
