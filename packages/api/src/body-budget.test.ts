import assert from "node:assert/strict";
import { test } from "node:test";
import { isMarkethookError } from "@markethook/protocol";
import { createBodyBudget } from "./body-budget.ts";

const MIB = 1024 * 1024;
const KEY = { isKey: true, ownerId: null };
const NOBODY = { isKey: false, ownerId: null };
const owner = (ownerId: string) => ({ isKey: false, ownerId });
const full = (error: unknown): boolean => isMarkethookError(error, "overloaded");

test("bodies take no more than the whole, and what is given back can be taken again", () => {
  const budget = createBodyBudget(16 * MIB);
  budget.take(KEY, 16 * MIB);
  assert.throws(() => budget.take(KEY, 1), full);
  budget.give(KEY, 4 * MIB);
  budget.take(KEY, 4 * MIB);
});

test("owners and those without a key have a quarter, so that the marketplace always gets through", () => {
  const budget = createBodyBudget(16 * MIB);
  budget.take(NOBODY, 3.5 * MIB);
  budget.take(owner("a"), 0.5 * MIB);
  assert.throws(() => budget.take(NOBODY, 1), full);
  assert.throws(() => budget.take(owner("b"), 1), full);
  budget.take(KEY, 12 * MIB);
});

test("one owner has a mebibyte, and leaves the others theirs", () => {
  const budget = createBodyBudget(16 * MIB);
  budget.take(owner("a"), MIB);
  assert.throws(() => budget.take(owner("a"), 1), full);
  budget.take(owner("b"), MIB);
  budget.give(owner("a"), MIB);
  budget.take(owner("a"), MIB);
});
