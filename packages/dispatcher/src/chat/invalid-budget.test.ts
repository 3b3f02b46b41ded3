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

test("of more instances than the budget has answers each still has one", () => {
  const budget = new InvalidBudget("Chat", { answers: 3, windowMs: 1000 }, { latest: () => 8 });
  assert.deepEqual([budget.answers, budget.room(0)], [1, 1]);
  assert.equal(budget.add(0), true);
  assert.deepEqual([budget.room(999), budget.room(1000)], [0, 1]);
});

test("it can be dropped when none is in flight, and no answer counts any more", () => {
  const budget = new InvalidBudget("Chat", { answers: 3, windowMs: 1000 }, ONE_INSTANCE);
  assert.equal(budget.isIdle(0), true);
  budget.inFlight = 1;
  assert.equal(budget.isIdle(0), false);
  budget.inFlight = 0;
  budget.add(0);
  assert.deepEqual([budget.isIdle(999), budget.isIdle(1000)], [false, true]);
});
