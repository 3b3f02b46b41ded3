import assert from "node:assert/strict";
import { test } from "node:test";

import { clampRetryAfter, retryAfterMs } from "./retry-after.ts";

const NOW = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

function read(...values: string[]): number | null {
  return retryAfterMs(
    values.map((value): [string, string] => ["Retry-After", value]),
    NOW,
  );
}

test("seconds and HTTP dates are understood", () => {
  assert.equal(read("5"), 5000);
  assert.equal(read("0"), 0);
  assert.equal(read("1000000000"), 1e12);
  assert.equal(read("Thu, 01 Jan 2026 00:01:00 GMT"), 60_000);
  assert.equal(retryAfterMs([["retry-AFTER", "7"]], NOW), 7000);
});

test("what cannot be relied on counts as absent", () => {
  for (const value of [
    "",
    "-1",
    "+5",
    "1e9",
    "120.5",
    "5s",
    "soon",
    "0x10",
    "5, 5",
    "Wed, 31 Dec 2025 23:59:59 GMT",
    "2026-01-02",
    "Thu, 99 Jan 2026 00:00:00 GMT",
    "Thu, 01 Jan 2026 00:01:00 +0200",
    "Thursday, 01-Jan-26 00:01:00 GMT",
  ]) {
    assert.equal(read(value), null, value);
  }
  assert.equal(read(), null);
  assert.equal(retryAfterMs([["X-Retry-After", "5"]], NOW), null);
});

test("two different ones count as absent, two equal ones as one", () => {
  assert.equal(read("5", "6"), null);
  assert.equal(read("5", "5"), 5000);
});

test("more seconds than a number can hold are the longest wait, as a few too many are", () => {
  for (const digits of [10, 11, 17, 400]) {
    const asked = read("9".repeat(digits));
    assert.ok(asked !== null && Number.isSafeInteger(asked), String(digits));
    assert.equal(clampRetryAfter(asked), DAY_MS);
  }
  assert.equal(read(`${"0".repeat(20)}5`), 5000);
});

test("it puts a retry off by a day at most", () => {
  assert.equal(clampRetryAfter(60_000), 60_000);
  assert.equal(clampRetryAfter(1e12), DAY_MS);
});
