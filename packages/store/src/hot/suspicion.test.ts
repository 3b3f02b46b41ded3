import assert from "node:assert/strict";
import { test } from "node:test";
import { healthyAfterMs, suspectWindow } from "./suspicion.ts";

test("the window halves from level to level, down to one", () => {
  assert.deepEqual([1, 2, 3, 9, 10, 11, 30].map(suspectWindow), [512, 256, 128, 2, 1, 1, 1]);
});

test("suspicion counts for a minute, and longer where ends follow one another minutes apart", () => {
  const minute = 60_000;
  assert.equal(healthyAfterMs(10_000), minute);
  assert.equal(healthyAfterMs(5 * minute), 10 * minute);
  assert.equal(healthyAfterMs(40 * minute), minute);
});
