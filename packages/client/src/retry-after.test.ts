import assert from "node:assert/strict";
import { test } from "node:test";
import { readRetryAfter } from "./retry-after.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const read = (value: string, date?: string): number | null =>
  readRetryAfter(
    new Headers({ "retry-after": value, ...(date === undefined ? {} : { date }) }),
    NOW,
  );

test("seconds are seconds", () => {
  assert.equal(read("0"), 0);
  assert.equal(read(" 120 "), 120);
  assert.equal(read("9".repeat(400)), Number.MAX_SAFE_INTEGER);
});

test("a date is compared with the answer's own date, or with ours", () => {
  assert.equal(read("Fri, 02 Jan 2026 03:04:35 GMT"), 30);
  assert.equal(read("Fri, 02 Jan 2026 03:04:35 GMT", "Fri, 02 Jan 2026 03:04:30 GMT"), 5);
  assert.equal(read("Fri, 02 Jan 2026 03:00:00 GMT"), 0);
});

test("anything else says nothing", () => {
  for (const value of ["", "soon", "-1", "1.5"]) assert.equal(read(value), null, value);
  assert.equal(readRetryAfter(new Headers(), NOW), null);
});
