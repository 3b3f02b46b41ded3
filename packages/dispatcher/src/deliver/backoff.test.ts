import assert from "node:assert/strict";
import { test } from "node:test";

import { DEFAULT_SCHEDULE, nextDelay, parseDuration, parseSchedule } from "./backoff.ts";

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

test("the default schedule makes ten attempts in about 75 hours", () => {
  const schedule = parseSchedule(DEFAULT_SCHEDULE);
  assert.equal(schedule.length, 9);
  const hours = schedule.reduce((sum, wait) => sum + wait, 0) / 3_600_000;
  assert.ok(hours > 75 && hours < 76, String(hours));
});

test("a bad schedule is refused", () => {
  for (const text of ["", " ", "5s,", ",5s", "5s,x", "5s;5m", Array(101).fill("1s").join(",")]) {
    assert.throws(() => parseSchedule(text), RangeError, text);
  }
});

test("waits follow the schedule within 20 percent and end with it", () => {
  const schedule = [1000, 60_000];
  assert.equal(
    nextDelay(schedule, 1, () => 0),
    800,
  );
  assert.equal(
    nextDelay(schedule, 1, () => 0.5),
    1000,
  );
  assert.equal(
    nextDelay(schedule, 2, () => 0.999999999),
    72_000,
  );
  assert.equal(
    nextDelay(schedule, 3, () => 0.5),
    null,
  );
  assert.equal(
    nextDelay([], 1, () => 0.5),
    null,
  );
});
