import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createInstanceCount } from "./instance-count.ts";

const EVERY_MS = 2000;

function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const clock = { now: 0 };
  const faults: string[] = [];
  let answer = (): Promise<number> => Promise.resolve(1);
  let asked = 0;
  const instances = createInstanceCount({
    count: () => {
      asked += 1;
      return answer();
    },
    everyMs: EVERY_MS,
    now: () => clock.now,
    observer: { fault: (where) => faults.push(where) },
  });
  /** Lets an interval go by, at whose end the count has this answer. */
  const finds = async (found: number | (() => Promise<number>)): Promise<number[]> => {
    answer = typeof found === "number" ? () => Promise.resolve(found) : found;
    clock.now += EVERY_MS;
    t.mock.timers.tick(EVERY_MS);
    await new Promise(setImmediate);
    return [instances.current(), instances.latest()];
  };
  instances.start();
  return { instances, clock, faults, finds, asked: () => asked };
}

test("an instance that is alone knows it at once, and several when they have been counted twice", async (t) => {
  const alone = setUp(t);
  assert.deepEqual([alone.instances.current(), alone.instances.latest()], [Infinity, 1]);
  assert.deepEqual(await alone.finds(1), [1, 1]);
  t.mock.timers.reset();
  const several = setUp(t);
  assert.deepEqual(await several.finds(3), [Infinity, 1]);
  assert.deepEqual(await several.finds(3), [3, 3]);
  assert.equal(several.instances.partOf(12), 4);
});

test("one that comes counts at once, and one that went when the count has been lower twice", async (t) => {
  const { finds } = setUp(t);
  for (const _ of [1, 2]) await finds(2);
  assert.deepEqual(await finds(3), [3, 3]);
  assert.deepEqual(await finds(2), [3, 3]);
  assert.deepEqual(await finds(2), [2, 2]);
});

test("a count that is older than three intervals is not known any more, and the latest one still is", async (t) => {
  const { finds, clock, instances, faults } = setUp(t);
  for (const _ of [1, 2]) await finds(4);
  const fails = (): Promise<number> => Promise.reject(new Error("no connection"));
  for (const _ of [1, 2, 3]) assert.deepEqual(await finds(fails), [4, 4]);
  assert.deepEqual(faults, ["count instances", "count instances", "count instances"]);
  clock.now += 1;
  assert.deepEqual([instances.current(), instances.latest()], [Infinity, 4]);
  assert.equal(instances.partOf(100), 1);
});

test("a count is as old as its question: a slow answer is known for less time", async (t) => {
  const { finds, clock, instances } = setUp(t);
  await finds(2);
  const slow = Promise.withResolvers<number>();
  await finds(() => slow.promise);
  clock.now += EVERY_MS * 2;
  slow.resolve(2);
  await new Promise(setImmediate);
  assert.equal(instances.current(), 2);
  clock.now += EVERY_MS;
  assert.equal(instances.current(), 2);
  clock.now += 1;
  assert.equal(instances.current(), Infinity);
});

test("after its stop nothing is counted", async (t) => {
  const { finds, instances, asked } = setUp(t);
  await finds(1);
  instances.stop();
  await finds(1);
  assert.equal(asked(), 1);
});
