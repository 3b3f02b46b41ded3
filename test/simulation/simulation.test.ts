import assert from "node:assert/strict";
import { test } from "node:test";
import { size } from "../size.ts";
import { commandFor, describeRun, differenceOf } from "./describe.ts";
import { RECORDED_SEEDS } from "./recorded-seeds.ts";
import { type RunOptions, runSeed } from "./run-seed.ts";

const ROW_MS = size(20_000, 60_000);
/** Where the row of seeds begins: others each time, so that the tests find what nobody has looked for. */
const FIRST_SEED = Number(process.env["MARKETHOOK_TEST_SEED"] ?? Date.now() % 1_000_000_000);

const STYLES = ["usual", "usual", "storm", "failovers"] as const;

/** On both stores, which must agree on every event; SQLite has no failovers. */
async function mustKeepPromises(options: Omit<RunOptions, "store">): Promise<string> {
  const { seed, style = "usual" } = options;
  const isModelOnly = style === "failovers";
  const again = commandFor(seed, isModelOnly ? "model" : "both", { style });
  const model = await runSeed({ ...options, store: "model" });
  assert.equal(model.violations.length, 0, `${describeRun(model)}\n${again}`);
  if (isModelOnly) return describeRun(model);
  const sqlite = await runSeed({ ...options, store: "sqlite" });
  assert.equal(sqlite.violations.length, 0, `${describeRun(sqlite)}\n${again}`);
  const difference = differenceOf([sqlite, model]);
  assert.equal(difference, null, `the stores differ ${difference}\n${again}`);
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

for (const { found, ...recorded } of RECORDED_SEEDS) {
  test(`seed ${recorded.seed} keeps every promise: ${found}`, async (t) => {
    t.diagnostic(await mustKeepPromises(recorded));
  });
}

test("a row of new seeds keeps every promise, some in a storm of faults, some with failovers", async (t) => {
  // At once, as a run that never ends reports nothing.
  process.stdout.write(`The first seed is ${FIRST_SEED} (MARKETHOOK_TEST_SEED sets it).\n`);
  const endAt = performance.now() + ROW_MS;
  for (let seed = FIRST_SEED; performance.now() < endAt; seed += 1) {
    t.diagnostic(await mustKeepPromises({ seed, style: STYLES[seed % STYLES.length] ?? "usual" }));
  }
});

test("a seed whose run throws is reported with the command that repeats it", async () => {
  const throwAtFirstFault = (line: string): void => {
    if (line.includes("fault 1:")) throw new Error("thrown by the test");
  };
  await assert.rejects(
    mustKeepPromises({ seed: 209, listen: throwAtFirstFault }),
    (error: Error) => {
      assert.match(error.message, /VIOLATED: the run threw \(1\)/);
      assert.match(error.message, /thrown by the test/);
      assert.match(error.message, /npm run simulate -- --seed 209 --store both/);
      return true;
    },
  );
});
