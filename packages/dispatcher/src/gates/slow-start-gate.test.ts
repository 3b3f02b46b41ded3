import assert from "node:assert/strict";
import { test } from "node:test";
import type { SendableWebhook } from "@markethook/store";
import { type InstanceCount, ONE_INSTANCE } from "./instance-count.ts";
import { SlowStartGate } from "./slow-start-gate.ts";
import { sampleWebhook } from "../wiring/testing/samples.ts";

const RULE = { afterMs: 600_000, perSecond: 10, doubleEveryMs: 10_000, doublings: 7 };
const HOUR = 3_600_000;
const healthy = sampleWebhook({ no: 1 });
const failing = (failingMs: number): SendableWebhook =>
  sampleWebhook({ no: 1, failing: true, recovery: { failingMs, resumedMs: null, awayMs: 0 } });
const resumed = (resumedMs: number, awayMs: number): SendableWebhook =>
  sampleWebhook({ no: 1, recovery: { failingMs: null, resumedMs, awayMs } });

function slowStart(instances: Pick<InstanceCount, "partOf"> = ONE_INSTANCE) {
  const clock = { now: 50_000 };
  const gate = new SlowStartGate(RULE, () => clock.now, instances);
  /** Tries all the time for so many seconds, and says how many went in each. */
  function perSecond(webhook: SendableWebhook, seconds: number): number[] {
    return Array.from({ length: seconds }, () => {
      const end = clock.now + 1000;
      let count = 0;
      while (clock.now < end) {
        if (gate.wait(webhook) === null && count < 10_000) {
          gate.enter(webhook);
          count += 1;
        } else clock.now += 1;
        if (count >= 10_000) clock.now = end;
      }
      return count;
    });
  }
  return { gate, clock, perSecond };
}

test("R15: after 72 hours away a receiver gets 10 in a second, doubled every ten, and then no limit", () => {
  const { perSecond } = slowStart();
  perSecond(failing(72 * HOUR), 1);
  const counts = perSecond(healthy, 75);
  for (const [at, expected] of [10, 20, 40, 80, 160, 320, 640].entries()) {
    const middle = counts[at * 10 + 5] ?? 0;
    assert.ok(Math.abs(middle - expected) <= expected / 10, `${middle} after ${at * 10 + 5} s`);
  }
  assert.equal(counts[73], 10_000);
});

test("while it is still away it gets no more than the first pace", () => {
  const { perSecond } = slowStart();
  for (const count of perSecond(failing(HOUR), 5)) assert.ok(count >= 9 && count <= 12);
});

test("short trouble, and a webhook that was never in any, are not slowed down", () => {
  const { perSecond, gate } = slowStart();
  assert.equal(gate.wait(healthy), null);
  assert.deepEqual(perSecond(failing(60_000), 1), [10_000]);
  assert.deepEqual(perSecond(healthy, 1), [10_000]);
});

test("a webhook that was resumed begins slowly too, if it may have been away for long", () => {
  const { perSecond } = slowStart();
  assert.deepEqual(perSecond(resumed(0, 60_000), 1), [10_000]);
  const [count = 0] = perSecond(resumed(0, HOUR), 1);
  assert.ok(count >= 9 && count <= 12, String(count));
  // Read again after its first good answer, there is nothing to be seen of it any more, and the slow start goes on.
  const [later = 0] = perSecond(healthy, 1);
  assert.ok(later >= 9 && later <= 12, String(later));
});

test("a slow start goes on through short trouble, and what it let go in that time takes nothing from later", () => {
  const { perSecond } = slowStart();
  perSecond(failing(HOUR), 1);
  perSecond(healthy, 1);
  const [during = 0] = perSecond(failing(60_000), 1);
  const [after = 0] = perSecond(healthy, 1);
  for (const count of [during, after]) assert.ok(count >= 9 && count <= 12, `${during}, ${after}`);
});

test("one that was resumed long ago has no slow start, in an instance that starts now either", () => {
  const { perSecond } = slowStart();
  assert.deepEqual(perSecond(resumed(80_000, HOUR), 1), [10_000]);
});

test("others go on while one is ramped up", () => {
  const { gate, perSecond } = slowStart();
  perSecond(failing(HOUR), 1);
  const other = sampleWebhook({ no: 2 });
  for (let count = 0; count < 1000; count += 1) {
    assert.equal(gate.wait(other), null);
    gate.enter(other);
  }
});

test("several instances divide the pace", () => {
  const { perSecond } = slowStart({ partOf: (limit) => limit / 4 });
  perSecond(failing(HOUR), 1);
  const counts = perSecond(healthy, 20);
  const sum = (of: number[]): number => of.reduce((all, one) => all + one, 0);
  assert.ok(Math.abs(sum(counts.slice(0, 10)) - 25) <= 2, counts.join(" "));
  assert.ok(Math.abs(sum(counts.slice(10)) - 50) <= 3, counts.join(" "));
});
