import assert from "node:assert/strict";
import { test } from "node:test";
import { isMarkethookError } from "@markethook/protocol";
import { createBodyBudget } from "./body-budget.ts";

const MIB = 1024 * 1024;
const KEY = { isKey: true, id: "key_1" };
const OTHER_KEY = { isKey: true, id: "key_2" };
const NOBODY = { isKey: false, id: null };
const owner = (id: string) => ({ isKey: false, id });
const full = (error: unknown): boolean => isMarkethookError(error, "overloaded");

test("bodies take no more than the whole, and what is given back can be taken again", () => {
  const budget = createBodyBudget(16 * MIB);
  budget.take(KEY, 12 * MIB);
  budget.take(OTHER_KEY, 4 * MIB);
  assert.throws(() => budget.take(OTHER_KEY, 1), full);
  budget.give(KEY, 4 * MIB);
  budget.take(OTHER_KEY, 4 * MIB);
});

test("owners and those without a key have a quarter, so that the marketplace always gets through", () => {
  const budget = createBodyBudget(16 * MIB);
  budget.take(NOBODY, 3.5 * MIB);
  budget.take(owner("a"), 0.5 * MIB);
  assert.throws(() => budget.take(NOBODY, 1), full);
  assert.throws(() => budget.take(owner("b"), 1), full);
  budget.take(KEY, 12 * MIB);
});

test("one key has three quarters, and leaves the others theirs", () => {
  const budget = createBodyBudget(16 * MIB);
  budget.take(KEY, 12 * MIB);
  assert.throws(() => budget.take(KEY, 1), full);
  budget.take(OTHER_KEY, 1);
});

test("one owner has a mebibyte, and leaves the others theirs", () => {
  const budget = createBodyBudget(16 * MIB);
  budget.take(owner("a"), MIB);
  assert.throws(() => budget.take(owner("a"), 1), full);
  budget.take(owner("b"), MIB);
  budget.give(owner("a"), MIB);
  budget.take(owner("a"), MIB);
});
