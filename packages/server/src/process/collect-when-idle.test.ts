import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { collectWhenIdle } from "./collect-when-idle.ts";

const MIB = 1024 * 1024;
const GARBAGE_MIB = 64;
/** In the heap: what buffers hold is given back a moment after a collection. */
const megabytes = () =>
  Array.from({ length: GARBAGE_MIB }, () => Array.from({ length: MIB / 8 }, () => 0.5));

/** The timer alone keeps no process alive. */
function keepAlive(t: TestContext): void {
  const alive = setInterval(() => {}, 1000);
  t.after(() => clearInterval(alive));
}

test("memory that has grown is collected once nothing goes on, and not before", async (t) => {
  let utilization = 0.5;
  let looks = 0;
  const looked = Promise.withResolvers<void>();
  const freed: number[] = [];
  const collected = Promise.withResolvers<void>();
  const end = collectWhenIdle({
    everyMs: 5,
    utilization() {
      looks += 1;
      if (looks === 5) looked.resolve();
      return utilization;
    },
    collected(bytes) {
      freed.push(bytes);
      collected.resolve();
    },
  });
  t.after(end);
  keepAlive(t);
  let garbage: unknown = megabytes();
  await looked.promise;
  assert.deepEqual(freed, [], "while it is busy");
  garbage = null;
  utilization = 0.01;
  await collected.promise;
  // The collection itself, and whatever else this process does meanwhile, take a few.
  const least = 0.75 * GARBAGE_MIB * MIB;
  assert.ok((freed[0] ?? 0) >= least, `${freed[0]} bytes; ${String(garbage)} is left`);
});

test("a collection that brings little is tried again after longer and longer, and at once when memory grows", async (t) => {
  let looks = 0;
  let mebibytes = 100;
  const collections: number[] = [];
  const steps = Promise.withResolvers<void>();
  const end = collectWhenIdle({
    everyMs: 1,
    utilization() {
      looks += 1;
      if (looks === 1) mebibytes = 200;
      if (looks === 40) mebibytes = 300;
      if (looks === 42) steps.resolve();
      return 0;
    },
    resident: () => mebibytes * MIB,
    collected: () => collections.push(looks),
  });
  t.after(end);
  keepAlive(t);
  await steps.promise;
  assert.deepEqual(collections, [1, 2, 4, 8, 16, 32, 40]);
});
