import assert from "node:assert/strict";
import { test } from "node:test";
import { inTimeZone } from "./testing/in-time-zone.ts";
import {
  fullTime,
  readLocalTime,
  relativeTime,
  timeInBothZones,
  timeToTheMinute,
  writeLocalTime,
} from "./times.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

test("a time is told in one unit that fits, before and after now", () => {
  for (const [seconds, before, after] of [
    [1, "just now", "in a moment"],
    [30, "30 sec. ago", "in 30 sec."],
    [300, "5 min. ago", "in 5 min."],
    [7200, "2 hr. ago", "in 2 hr."],
    [3 * 86_400, "3 days ago", "in 3 days"],
  ] as const) {
    assert.equal(relativeTime(NOW - seconds * 1000, NOW), before);
    assert.equal(relativeTime(NOW + seconds * 1000, NOW, true), after);
  }
});

test("what has happened is never still to come, and what is due has not happened, whatever the clocks say", () => {
  for (const seconds of [2, 30, 7200]) {
    assert.equal(relativeTime(NOW + seconds * 1000, NOW), "just now");
    assert.equal(relativeTime(NOW - seconds * 1000, NOW, true), "in a moment");
  }
});

test("a time that is known to the hour is told with its minute and without seconds", () => {
  const withSeconds = /\d:\d\d:\d\d/;
  assert.match(fullTime(NOW), withSeconds);
  assert.match(timeToTheMinute(NOW), /\d:\d\d/);
  assert.doesNotMatch(timeToTheMinute(NOW), withSeconds);
});

test("the exact time names its zone and stands in UTC too, once where the reader's zone is UTC", () => {
  const [local, utc, ...more] = timeInBothZones(NOW, "Asia/Kolkata").split("\n");
  assert.match(local ?? "", /5:30:00.*GMT\+5:30/);
  assert.match(utc ?? "", /12:00:00.*UTC/);
  assert.deepEqual(more, []);
  assert.doesNotMatch(timeInBothZones(NOW, "UTC"), /\n/);
});

for (const [zone, field] of [
  ["Asia/Kolkata", "2026-11-21T17:30"],
  ["Asia/Kathmandu", "2026-11-21T17:45"],
  ["America/St_Johns", "2026-11-21T08:30"],
] as const) {
  test(`a field for date and time holds the reader's own, and reads back as it was, in ${zone}`, (t) => {
    inTimeZone(t, zone);
    assert.equal(writeLocalTime(NOW / 1000), field);
    // Both sides of a change of the clocks, and of each half hour.
    for (const day of [Date.parse("2026-03-08T00:00:00Z"), Date.parse("2026-07-01T00:00:00Z")]) {
      for (let at = day / 1000; at < day / 1000 + 86_400; at += 900)
        assert.equal(readLocalTime(writeLocalTime(at)), at);
    }
  });
}
