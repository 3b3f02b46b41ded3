import assert from "node:assert/strict";
import { test } from "node:test";
import { padded } from "./padded.ts";

test("a list is filled up with its last value to a power of two, so that few statements serve all lengths", () => {
  assert.deepEqual(padded([]), []);
  assert.deepEqual(padded([7]), [7]);
  assert.deepEqual(padded([1, 2, 3, 4, 5]), [1, 2, 3, 4, 5, 5, 5, 5]);
  const lengths = new Set(Array.from({ length: 200 }, (_, i) => padded(Array(i).fill(0)).length));
  assert.equal(lengths.size, 10);
});
