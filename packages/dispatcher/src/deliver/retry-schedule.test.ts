import assert from "node:assert/strict";
import { test } from "node:test";

import { DEFAULT_SCHEDULE, nextDelay, parseSchedule } from "./retry-schedule.ts";

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
