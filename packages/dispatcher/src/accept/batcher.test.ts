import assert from "node:assert/strict";
import { test } from "node:test";
import { Batcher } from "./batcher.ts";
import { fakeClock, turn } from "../wiring/testing/fake-clock.ts";

interface Run {
  items: readonly number[];
  finish(): void;
  fail(error: Error): void;
  free(): boolean;
}

/** Doubles numbers, run by run, each ended by the test. */
function setUp(
  options: {
    maxItems?: number;
    parallel?: number;
    besideFrom?: number;
    pace?: { from: number; ms: number; now: () => number };
    isOfOne?: (error: unknown) => boolean;
  } = {},
) {
  const runs: Run[] = [];
  const batcher = new Batcher<number, number>({
    maxItems: options.maxItems ?? 100,
    parallel: options.parallel ?? 1,
    besideFrom: options.besideFrom ?? 1,
    pace: options.pace ?? null,
    ...(options.isOfOne === undefined ? {} : { isOfOne: options.isOfOne }),
    run: (items, free) =>
      new Promise((resolve, reject) => {
        const finish = (): void => resolve(items.map((item) => item * 2));
        runs.push({ items, finish, fail: reject, free });
      }),
  });
  const run = (index: number): Run => {
    const found = runs[index];
    assert.ok(found, `run ${index} has not begun`);
    return found;
  };
  return { batcher, runs, run };
}

test("what is added in one turn of the event loop shares the first run", async () => {
  const { batcher, runs, run } = setUp();
  const results = [batcher.add([1]), batcher.add([2, 3])];
  await turn();
  assert.deepEqual(
    runs.map(({ items }) => items),
    [[1, 2, 3]],
  );
  run(0).finish();
  assert.deepEqual(await Promise.all(results), [[2], [4, 6]]);
});

test("an addition that is at fault fails alone, and every other one of its run gets its results", async () => {
  const { batcher, runs, run } = setUp({ isOfOne: (error) => error instanceof RangeError });
  const good = [batcher.add([1]), batcher.add([2]), batcher.add([4])];
  const bad = assert.rejects(batcher.add([3, 3]), /too large/);
  for (let index = 0; index < 5; index += 1) {
    await turn();
    if (run(index).items.includes(3)) run(index).fail(new RangeError("too large"));
    else run(index).finish();
  }
  await bad;
  assert.deepEqual(await Promise.all(good), [[2], [4], [8]]);
  assert.deepEqual(
    runs.map(({ items }) => items),
    [[1, 2, 4, 3, 3], [1, 2], [4, 3, 3], [4], [3, 3]],
  );
  await batcher.idle();
});

test("a run that fails for another reason fails for all of it at once", async () => {
  const { batcher, runs, run } = setUp({ isOfOne: (error) => error instanceof RangeError });
  const all = [batcher.add([1]), batcher.add([2])].map((one) => assert.rejects(one, /no database/));
  await turn();
  run(0).fail(new Error("no database"));
  await Promise.all(all);
  assert.equal(runs.length, 1);
});

test("what is added during a run shares the next one, and not before the first has ended", async () => {
  const { batcher, runs, run } = setUp();
  const first = batcher.add([1]);
  await turn();
  const later = [batcher.add([2])];
  await turn();
  later.push(batcher.add([3]));
  await turn();
  assert.equal(runs.length, 1);
  run(0).finish();
  await first;
  await turn();
  assert.deepEqual(run(1).items, [2, 3]);
  run(1).finish();
  assert.deepEqual(await Promise.all(later), [[4], [6]]);
  assert.equal(runs.length, 2);
});

test("a failed run rejects those in it and no others", async () => {
  const { batcher, run } = setUp();
  const first = batcher.add([1]);
  const second = batcher.add([2]);
  await turn();
  const third = batcher.add([3]);
  run(0).fail(new Error("disk full"));
  await assert.rejects(first, /disk full/);
  await assert.rejects(second, /disk full/);
  await turn();
  run(1).finish();
  assert.deepEqual(await third, [6]);
});

test("a run that throws before it waits rejects its items too", async () => {
  const batcher = new Batcher<number, number>({
    maxItems: 10,
    parallel: 1,
    run() {
      throw new Error("at once");
    },
  });
  await assert.rejects(batcher.add([1]), /at once/);
  assert.equal(batcher.pending, 0);
});

test("a run takes whole additions up to its limit, and a larger one alone", async () => {
  const { batcher, runs, run } = setUp({ maxItems: 3 });
  const all = [
    batcher.add([1, 2]),
    batcher.add([3, 4]),
    batcher.add([5, 6, 7, 8]),
    batcher.add([9]),
  ];
  for (const [index, items] of [[1, 2], [3, 4], [5, 6, 7, 8], [9]].entries()) {
    await turn();
    assert.deepEqual(run(index).items, items);
    run(index).finish();
  }
  await Promise.all(all);
  assert.equal(runs.length, 4);
});

test("as many runs go on at once as are allowed", async () => {
  const { batcher, runs, run } = setUp({ maxItems: 1, parallel: 2 });
  const all = [batcher.add([1]), batcher.add([2]), batcher.add([3])];
  await turn();
  assert.equal(runs.length, 2);
  run(1).finish();
  await turn();
  assert.deepEqual(run(2).items, [3]);
  run(0).finish();
  run(2).finish();
  assert.deepEqual(await Promise.all(all), [[2], [4], [6]]);
});

test("a run begins next to another one only when enough additions wait, and takes them all", async () => {
  const { batcher, runs, run } = setUp({ parallel: 2, besideFrom: 3 });
  const all = [batcher.add([1])];
  await turn();
  all.push(batcher.add([2, 3]), batcher.add([4]));
  await turn();
  assert.equal(runs.length, 1);
  all.push(batcher.add([5]));
  await turn();
  assert.deepEqual(run(1).items, [2, 3, 4, 5]);
  all.push(batcher.add([6]));
  await turn();
  run(1).finish();
  await turn();
  assert.equal(runs.length, 2, "one waits, and the first has not ended");
  run(0).finish();
  await turn();
  run(2).finish();
  assert.deepEqual(await Promise.all(all), [[2], [4, 6], [8], [10], [12]]);
});

test("a run that frees its place before it ends lets the next one begin, and only that one", async () => {
  const { batcher, runs, run } = setUp({ maxItems: 1 });
  const all = [batcher.add([1]), batcher.add([2]), batcher.add([3])];
  await turn();
  assert.equal(run(0).free(), true);
  assert.equal(run(0).free(), false, "it has but one place to give");
  await turn();
  assert.deepEqual(run(1).items, [2]);
  run(0).finish();
  await all[0];
  await turn();
  assert.equal(runs.length, 2, "the place was given away already");
  run(1).finish();
  await turn();
  assert.equal(run(2).free(), false, "nothing waits");
  run(2).finish();
  assert.deepEqual(await Promise.all(all), [[2], [4], [6]]);
});

test("a run that fails after it freed its place does not end the next one", async () => {
  const { batcher, run } = setUp();
  const first = batcher.add([1]);
  await turn();
  const second = batcher.add([2]);
  await turn();
  run(0).free();
  run(0).fail(new Error("broken"));
  await assert.rejects(first, /broken/);
  assert.equal(batcher.pending, 1);
  run(1).finish();
  assert.deepEqual(await second, [4]);
  assert.equal(batcher.pending, 0);
});

test("at a pace, the run after one of many waits until its time has come, and takes what came till then", async (t) => {
  const clock = fakeClock(t);
  const { batcher, runs, run } = setUp({ pace: { from: 2, ms: 50, now: clock.now } });
  const all = [batcher.add([1]), batcher.add([2])];
  await turn();
  run(0).finish();
  all.push(batcher.add([3]));
  await clock.advance(40);
  assert.equal(runs.length, 1, "the one before began 40 ms ago");
  all.push(batcher.add([4]));
  await clock.advance(10);
  assert.deepEqual(run(1).items, [3, 4]);
  run(1).finish();
  assert.deepEqual(await Promise.all(all), [[2], [4], [6], [8]]);
});

test("at a pace, a full run waits for no time, and neither does one after a run of few", async (t) => {
  const clock = fakeClock(t);
  const { batcher, run } = setUp({ maxItems: 2, pace: { from: 2, ms: 50, now: clock.now } });
  const all = [batcher.add([1]), batcher.add([2])];
  await turn();
  run(0).finish();
  all.push(batcher.add([3]));
  await turn();
  all.push(batcher.add([4]));
  await turn();
  assert.deepEqual(run(1).items, [3, 4], "full");
  run(1).finish();
  all.push(batcher.add([5]));
  await clock.advance(50);
  run(2).finish();
  await turn();
  all.push(batcher.add([6]));
  await turn();
  assert.deepEqual(run(3).items, [6], "after one of few");
  run(3).finish();
  await Promise.all(all);
});

test("at a pace, a run is full by its items, however few additions they came in", async (t) => {
  const clock = fakeClock(t);
  const { batcher, runs, run } = setUp({ maxItems: 2, pace: { from: 1, ms: 50, now: clock.now } });
  const all = [batcher.add([1])];
  await turn();
  run(0).finish();
  all.push(batcher.add([2, 3]));
  await turn();
  assert.equal(runs.length, 2, "full");
  run(1).finish();
  all.push(batcher.add([4]));
  await turn();
  assert.equal(runs.length, 2, "what went does not count any more");
  await clock.advance(50);
  run(2).finish();
  assert.deepEqual(await Promise.all(all), [[2], [4, 6], [8]]);
});

test("at a pace, what comes later than the pace begins at once, and idle waits for what is held back", async (t) => {
  const clock = fakeClock(t);
  const { batcher, runs, run } = setUp({ pace: { from: 1, ms: 50, now: clock.now } });
  const all = [batcher.add([1])];
  await turn();
  run(0).finish();
  await clock.advance(60);
  all.push(batcher.add([2]));
  await turn();
  run(1).finish();
  await turn();
  all.push(batcher.add([3]));
  let idle = false;
  const wait = batcher.idle().then(() => (idle = true));
  await turn();
  assert.deepEqual([runs.length, idle], [2, false]);
  await clock.advance(50);
  run(2).finish();
  await wait;
  assert.deepEqual(await Promise.all(all), [[2], [4], [6]]);
});

test("idle waits for everything that was added, also during the wait", async () => {
  const { batcher, run } = setUp();
  await batcher.idle();
  const order: string[] = [];
  const first = batcher.add([1]).then(() => order.push("first"));
  await turn();
  const second = batcher.add([2]).then(() => order.push("second"));
  const idle = batcher.idle().then(() => order.push("idle"));
  assert.equal(batcher.pending, 2);
  run(0).finish();
  await turn();
  run(1).finish();
  await Promise.all([first, second, idle]);
  assert.deepEqual(order, ["first", "second", "idle"]);
});
