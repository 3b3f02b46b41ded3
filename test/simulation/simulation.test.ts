import assert from "node:assert/strict";
import { test } from "node:test";
import { size } from "../size.ts";
import { commandFor, describeRun, differenceOf } from "./describe.ts";
import { RECORDED_SEEDS } from "./recorded-seeds.ts";
import { runSeed } from "./run-seed.ts";

/** Always the same ones, so that a failure belongs to a change. New ones: `npm run simulate -- --minutes 60`. */
const FIRST_SEED = 1000;
const SEEDS = size(10, 150);

/** On both stores, which must agree on every event. */
async function mustKeepPromises(seed: number): Promise<string> {
  const model = await runSeed({ seed, store: "model" });
  const again = commandFor(seed, "both");
  assert.equal(model.violations.length, 0, `${describeRun(model)}\n${again}`);
  const sqlite = await runSeed({ seed, store: "sqlite" });
  assert.equal(differenceOf([sqlite, model]), null, again);
  return describeRun(sqlite);
}

test("the same seed is the same run to the last event, and another seed another", async () => {
  const run = async (seed: number) => await runSeed({ seed, store: "model" });
  const [one, again, other] = [await run(209), await run(209), await run(205)];
  assert.ok(one.written > 100);
  assert.deepEqual(one.hashes, again.hashes);
  assert.equal(one.hash, again.hash);
  assert.notEqual(one.hash, other.hash);
});

for (const { seed, found } of RECORDED_SEEDS) {
  test(`seed ${seed} keeps every promise: ${found}`, async (t) => {
    t.diagnostic(await mustKeepPromises(seed));
  });
}

test("a row of seeds keeps every promise", async (t) => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
    t.diagnostic(await mustKeepPromises(seed));
  }
});
