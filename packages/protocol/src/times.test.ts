import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDuration } from "./times.ts";

test("durations are whole numbers with a unit", () => {
  assert.equal(parseDuration("250ms"), 250);
  assert.equal(parseDuration("15s"), 15_000);
  assert.equal(parseDuration(" 5m "), 300_000);
  assert.equal(parseDuration("2h"), 7_200_000);
  assert.equal(parseDuration("30d"), 2_592_000_000);
  assert.equal(parseDuration("0s"), 0);
});

test("anything else is refused by name", () => {
  for (const text of [
    "",
    "15",
    "s",
    "-5s",
    "1.5h",
    "5 s",
    "5S",
    "5w",
    "366d",
    "9".repeat(13),
    "1e3s",
  ]) {
    assert.throws(
      () => parseDuration(text),
      (error) => error instanceof RangeError && error.message.includes(`"${text}"`),
      text,
    );
  }
});
