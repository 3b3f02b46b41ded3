import assert from "node:assert/strict";
import { test } from "node:test";
import { createRecentAttempts } from "./recent-attempts.ts";
import { ATTEMPT } from "./testing/attempt.ts";

const MINUTE = 60_000;

test("attempts are counted by host and outcome, the busiest first, for a quarter of an hour", () => {
  let now = 1000 * MINUTE;
  const recent = createRecentAttempts(() => now);
  recent.observer.attempt(ATTEMPT);
  for (const outcome of ["timeout", "timeout", "ok"] as const) {
    recent.observer.attempt({ ...ATTEMPT, host: "b.example", outcome });
  }
  const expected = [
    { host: "b.example", outcome: "timeout", count: 2 },
    { host: "b.example", outcome: "ok", count: 1 },
    { host: "r.example", outcome: "ok", count: 1 },
  ];
  assert.deepEqual(recent.byHost(), expected);
  now += 14 * MINUTE;
  recent.observer.attempt({ ...ATTEMPT, host: "r.example" });
  assert.equal(recent.byHost().length, 3);
  now += MINUTE;
  assert.deepEqual(recent.byHost(), [{ host: "r.example", outcome: "ok", count: 1 }]);
});

test("twenty hosts are shown, and a flood of hosts is not told apart", () => {
  const recent = createRecentAttempts(() => MINUTE);
  for (let i = 0; i < 5000; i += 1) recent.observer.attempt({ ...ATTEMPT, host: `${i}.example` });
  const hosts = recent.byHost();
  assert.equal(hosts.length, 20);
  assert.deepEqual(hosts[0], { host: "others", outcome: "ok", count: 3000 });
});

test("deliveries per second are those of the last minute, or since the start if that is shorter", () => {
  let now = 0;
  const recent = createRecentAttempts(() => now);
  now = 10_000;
  for (let i = 0; i < 50; i += 1) recent.observer.attempt(ATTEMPT);
  recent.observer.attempt({ ...ATTEMPT, next: "retry" });
  assert.equal(recent.deliveriesPerSecond(), 5);
  now = 65_000;
  assert.equal(recent.deliveriesPerSecond(), 0.8);
  now = 70_000;
  assert.equal(recent.deliveriesPerSecond(), 0);
  now = 700_000;
  assert.equal(recent.deliveriesPerSecond(), 0);
});
