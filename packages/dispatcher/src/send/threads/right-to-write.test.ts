import assert from "node:assert/strict";
import { test } from "node:test";
import { RightToWrite } from "./right-to-write.ts";

test("what one thread grants, another sees in the same memory, for that instance alone", () => {
  const mine = new RightToWrite();
  const theirs = new RightToWrite(mine.memory);
  assert.equal(theirs.mayWrite(1), false);
  mine.grant(1, 60_000);
  assert.equal(theirs.mayWrite(1), true);
  assert.equal(theirs.mayWrite(2), false);
  mine.grant(2, 60_000);
  assert.deepEqual([theirs.mayWrite(1), theirs.mayWrite(2)], [false, true]);
  mine.withdraw();
  assert.equal(theirs.mayWrite(2), false);
});

test("a right that is over, or was over when it was granted, is none", () => {
  const right = new RightToWrite();
  right.grant(1, 0);
  assert.equal(right.mayWrite(1), false);
  right.grant(1, -5000);
  assert.equal(right.mayWrite(1), false);
});

test("clocks that part, as after a machine's sleep, end the right", (t) => {
  const right = new RightToWrite();
  right.grant(1, 60_000);
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 10_000 });
  assert.equal(right.mayWrite(1), false);
});
