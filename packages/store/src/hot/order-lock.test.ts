import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { lockingOrder, orderLock, ownerLock } from "./order-lock.ts";
import { UPDATE_ORDER_KEY } from "./numbers.ts";

test("the same buyer of the same resource has the same lock, as a safe integer", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 64 }),
      fc.integer({ min: UPDATE_ORDER_KEY, max: Number.MAX_SAFE_INTEGER }),
      (id, key) => {
        const lock = orderLock(id, key);
        assert.ok(Number.isSafeInteger(lock) && lock >= 0);
        assert.equal(orderLock(id, key), lock);
      },
    ),
  );
});

test("others hardly ever share it: no two of two hundred thousand do", () => {
  const seen = new Set<number>();
  for (let resource = 0; resource < 200; resource += 1) {
    for (let user = 0; user < 999; user += 1) seen.add(orderLock(`resource-${resource}`, user * 7));
    seen.add(orderLock(`resource-${resource}`, UPDATE_ORDER_KEY));
  }
  assert.equal(seen.size, 200_000);
});

test("large numbers of users differ in more than their lower half", () => {
  assert.notEqual(orderLock("a", 5), orderLock("a", 5 + 2 ** 32));
  assert.notEqual(orderLock("a", UPDATE_ORDER_KEY), orderLock("a", 2 ** 32 - 1));
});

test("an owner's lock is one of few, and never one of a buyer", () => {
  const seen = new Set<number>();
  for (let resource = 0; resource < 10_000; resource += 1) {
    seen.add(ownerLock(`resource-${resource}`));
  }
  assert.equal(seen.size, 8);
  assert.ok([...seen].every((lock) => lock < 0));
});

test("locks are taken in one order, each once", () => {
  assert.deepEqual(lockingOrder([9, 2 ** 52, 9, 1, 10]), [1, 9, 10, 2 ** 52]);
  assert.deepEqual(lockingOrder([]), []);
});
