import assert from "node:assert/strict";
import { test } from "node:test";
import { collectWhenIdle } from "./collect-when-idle.ts";

const MIB = 1024 * 1024;
/** In the heap: what buffers hold is given back a moment after a collection. */
const megabytes = () =>
  Array.from({ length: 64 }, () => Array.from({ length: MIB / 8 }, () => 0.5));

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
  // The timer alone keeps no process alive.
  const alive = setInterval(() => {}, 1000);
  t.after(() => clearInterval(alive));
  let garbage: unknown = megabytes();
  await looked.promise;
  assert.deepEqual(freed, [], "while it is busy");
  garbage = null;
  utilization = 0.01;
  await collected.promise;
  assert.ok((freed[0] ?? 0) >= 60 * MIB, `${freed[0]} bytes; ${String(garbage)} is left`);
});
