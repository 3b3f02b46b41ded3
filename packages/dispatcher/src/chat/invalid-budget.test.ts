import assert from "node:assert/strict";
import { test } from "node:test";
import { ONE_INSTANCE } from "../gates/instance-count.ts";
import { InvalidBudget } from "./invalid-budget.ts";

test("at the budget it pauses, says so once, and goes on when a tenth is free again", () => {
  const budget = new InvalidBudget("Chat", { answers: 20, windowMs: 1000 }, ONE_INSTANCE);
  for (let at = 0; at < 19; at += 1) assert.equal(budget.add(at), false);
  assert.deepEqual([budget.room(18), budget.pausedUntil(18)], [1, 0]);
  assert.equal(budget.add(19), true);
  assert.equal(budget.room(19), 0);
  // What was in flight.
  assert.equal(budget.add(20), false);
  const until = budget.pausedUntil(20);
  assert.equal(budget.room(until - 1), 0);
  assert.ok(budget.room(until) >= 2);
  assert.equal(budget.pausedUntil(until), 0);
});

test("what is older than the window counts no more", () => {
  const budget = new InvalidBudget("Chat", { answers: 10, windowMs: 1000 }, ONE_INSTANCE);
  for (let at = 0; at < 9; at += 1) budget.add(at * 200);
  assert.ok(budget.room(1600) >= 5);
  assert.equal(budget.room(10_000), 10);
});

test("several instances have a part each, which changes with their number", () => {
  let count = 4;
  const options = { answers: 40, windowMs: 1000 };
  const budget = new InvalidBudget("Chat", options, { latest: () => count });
  for (let at = 0; at < 9; at += 1) assert.equal(budget.add(at), false);
  assert.equal(budget.room(9), 1);
  assert.equal(budget.add(9), true);
  assert.equal(budget.room(10), 0);
  count = 2;
  assert.equal(budget.room(10), 10);
});
