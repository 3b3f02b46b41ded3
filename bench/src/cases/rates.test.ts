import assert from "node:assert/strict";
import { test } from "node:test";
import type { Throughput } from "../rig/measure.ts";
import { together } from "./rates.ts";

function run(perSecond: number, memory: number | null, database: number | null): Throughput {
  return {
    events: 1000,
    acceptedPerSecond: perSecond,
    deliveredPerSecond: perSecond,
    cpu: { service: perSecond / 100, main: 1, workers: 1, database, receiver: 1 },
    written: perSecond,
    memory,
  };
}

test("turns of equally many events come to what all of them took together", () => {
  // 1000 events in one second and 1000 in three.
  const both = together([run(1000, 200, null), run(1000 / 3, 250, 2)]);
  assert.equal(both.events, 2000);
  assert.equal(both.deliveredPerSecond, 500);
  assert.equal(both.memory, 250);
  assert.equal(both.cpu.receiver, 1);
  assert.equal(both.written, (1000 + 1000 / 3) / 2);
  assert.equal(both.cpu.database, null, "one turn did not tell");
});

test("turns in which nothing was delivered come to no deliveries", () => {
  const held = { ...run(1000, null, null), deliveredPerSecond: 0 };
  assert.equal(together([held, held]).deliveredPerSecond, 0);
  assert.equal(together([held, held]).memory, null);
});
