import assert from "node:assert/strict";
import { test } from "node:test";
import { queueBench } from "../wiring/testing/queue-bench.ts";
import { sampleWebhook } from "../wiring/testing/samples.ts";

/** Thirty webhooks that have hung for long have taken the slots of slow ones; these have answered well before. */
function besideHanging(t: Parameters<typeof queueBench>[0], good: readonly number[]) {
  const bench = queueBench(t, { concurrency: 10 }, (no) => ({
    ...sampleWebhook({ no }),
    failing: no <= 30,
  }));
  for (const no of good) {
    bench.push(no, 1);
    bench.openOf(no)[0]?.finish(true);
  }
  for (let no = 1; no <= 30; no += 1) bench.push(no, 1);
  assert.equal(bench.open.length, 3);
  return bench;
}

test("a webhook that failed once after good answers does not wait behind those that hang", (t) => {
  const { push, openOf } = besideHanging(t, [40]);
  push(40, 1);
  openOf(40)[0]?.finish(false);
  push(40, 5);
  assert.equal(openOf(40).length, 1, "one request, to see whether it was an exception");
  openOf(40)[0]?.finish(true);
  assert.ok(openOf(40).length > 1);
});

test("a webhook that is new to this process, and not known to fail, has a second try, too", (t) => {
  const { push, openOf } = besideHanging(t, []);
  push(40, 1);
  openOf(40)[0]?.finish(false);
  push(40, 1);
  assert.equal(openOf(40).length, 1);
});

test("a webhook that fails again at once waits like all that fail", (t) => {
  const { push, openOf } = besideHanging(t, [40]);
  push(40, 1);
  openOf(40)[0]?.finish(false);
  push(40, 1);
  openOf(40)[0]?.finish(false);
  push(40, 1);
  assert.equal(openOf(40).length, 0);
});

test("the second try of a webhook that hangs keeps others from theirs for a second", async (t) => {
  const { push, openOf, clock } = besideHanging(t, [40, 41]);
  for (const no of [40, 41]) {
    push(no, 1);
    openOf(no)[0]?.finish(false);
    push(no, 1);
  }
  assert.deepEqual([openOf(40).length, openOf(41).length], [1, 0]);
  await clock.advance(1300);
  assert.deepEqual([openOf(40).length, openOf(41).length], [1, 1]);
});

test("a process that was stopped does not take the receivers for slow that it had asked before", async (t) => {
  const { push, openOf, clock } = besideHanging(t, [40]);
  for (let stop = 0; stop < 3; stop += 1) {
    push(40, 1);
    await clock.advance(100);
    clock.freeze(3000);
    // Its answer is there when the process goes on.
    openOf(40)[0]?.finish(true);
  }
  push(40, 3);
  assert.equal(openOf(40).length, 3);
  clock.freeze(3000);
  await clock.advance(1300);
  for (const one of openOf(40)) one.finish(true);
  push(40, 1);
  assert.equal(openOf(40).length, 1, "the second try of one that was slow");
  openOf(40)[0]?.finish(false);
  push(40, 1);
  assert.equal(openOf(40).length, 0);
});
