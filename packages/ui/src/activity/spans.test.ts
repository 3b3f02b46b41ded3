import assert from "node:assert/strict";
import { test } from "node:test";
import { inTimeZone } from "../shared/testing/in-time-zone.ts";
import { rangeBetween, rangeOf, stepsWithin, type Point } from "./spans.ts";

const HOUR_S = 3600;
const begin = Date.UTC(2026, 0, 2) / 1000;
const points: Point[] = [0, 1, 2, 3].map((index) => ({
  at: new Date((begin + index * 6 * HOUR_S) * 1000).toISOString(),
  delivered: 1,
  retried: 0,
  givenUp: 0,
  replyMs: null,
}));

test("a day ends with this hour, longer spans end at midnight", () => {
  const now = new Date(2026, 4, 5, 14, 20).getTime();
  const hour = new Date(2026, 4, 5, 15).getTime() / 1000;
  const midnight = new Date(2026, 4, 6).getTime() / 1000;
  assert.deepEqual(rangeOf("day", now), { from: hour - 24 * HOUR_S, to: hour, stepHours: 1 });
  assert.equal(rangeOf("week", now).to, midnight);
  assert.equal(rangeOf("month", now).from, midnight - 30 * 24 * HOUR_S);
});

for (const zone of ["Asia/Kolkata", "Asia/Kathmandu", "America/St_Johns"]) {
  test(`a day ends with the hour that is counted now, at any minute of it, in ${zone}`, (t) => {
    inTimeZone(t, zone);
    for (const minute of [0, 20, 40, 59]) {
      const now = Date.UTC(2026, 4, 5, 8, minute);
      assert.notEqual(new Date(now).getMinutes(), minute, "the time zone is set");
      assert.equal(rangeOf("day", now).to, Date.UTC(2026, 4, 5, 9) / 1000, `at minute ${minute}`);
    }
  });
}

test("a range goes from the begin of its first step to the end of its last, in either direction", () => {
  const expected = { from: begin + 6 * HOUR_S, to: begin + 18 * HOUR_S };
  assert.deepEqual(rangeBetween(points, 6, 1, 2), expected);
  assert.deepEqual(rangeBetween(points, 6, 2, 1), expected);
});

test("the steps of a range are those that have a part in it", () => {
  const within = (from?: number, to?: number) => stepsWithin(points, 6, { from, to });
  assert.deepEqual(within(begin + 6 * HOUR_S, begin + 18 * HOUR_S), { first: 1, last: 2 });
  assert.deepEqual(within(begin + 17 * HOUR_S), { first: 2, last: 3 });
  assert.equal(within(begin - 5, begin), null);
  assert.equal(within(), null);
});
