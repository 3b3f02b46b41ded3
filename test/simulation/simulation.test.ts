import assert from "node:assert/strict";
import { test } from "node:test";
import { size } from "../size.ts";
import { commandFor, describeRun, differenceOf } from "./describe.ts";
import type { Style } from "./plan.ts";
import { RECORDED_SEEDS } from "./recorded-seeds.ts";
import { type RunOptions, type RunReport, runSeed, type StoreKind } from "./run-seed.ts";

/** New seeds begin for so long; one always does. */
const ROW_MS = size(0, 60_000);
/** Where the row of seeds begins: others each time, so that the tests find what nobody has looked for. */
const FIRST_SEED = Number(process.env["MARKETHOOK_TEST_SEED"] ?? Date.now() % 1_000_000_000);

/** `npm run test:full` runs all, on both stores. */
const RECORDED = size(RECORDED_SEEDS.slice(-3), RECORDED_SEEDS);
const RECORDED_ON = size<StoreKind[]>(["model"], ["model", "sqlite"]);

const STYLES = ["usual", "usual", "storm", "failovers"] as const;

/** SQLite has no failovers. */
function storesFor(style: Style | undefined, stores: readonly StoreKind[]): readonly StoreKind[] {
  return style === "failovers" ? ["model"] : stores;
}

/** Two stores must agree on every event. */
async function mustKeepPromises(
  options: Omit<RunOptions, "store">,
  stores: readonly StoreKind[],
): Promise<string> {
  const { seed, style = "usual" } = options;
  const again = commandFor(seed, stores.length > 1 ? "both" : "model", { style });
  const reports: RunReport[] = [];
  for (const store of stores) {
    const report = await runSeed({ ...options, store });
    assert.equal(report.violations.length, 0, `${describeRun(report)}\n${again}`);
    reports.push(report);
  }
  const difference = differenceOf(reports);
  assert.equal(difference, null, `the stores differ ${difference}\n${again}`);
  return reports.map(describeRun).at(-1) ?? "";
}

test("the same seed is the same run to the last event, and another seed another", async () => {
  const run = async (seed: number) => await runSeed({ seed, store: "model" });
  const [one, again, other] = [await run(209), await run(209), await run(205)];
  assert.ok(one.written > 100);
  assert.deepEqual(one.hashes, again.hashes);
  assert.equal(one.hash, again.hash);
  assert.notEqual(one.hash, other.hash);
});

for (const { found, ...recorded } of RECORDED) {
  test(`seed ${recorded.seed} keeps every promise: ${found}`, async (t) => {
    t.diagnostic(await mustKeepPromises(recorded, storesFor(recorded.style, RECORDED_ON)));
  });
}

test("a row of new seeds keeps every promise, some in a storm of faults, some with failovers", async (t) => {
  // At once, as a run that never ends reports nothing.
  process.stdout.write(`The first seed is ${FIRST_SEED} (MARKETHOOK_TEST_SEED sets it).\n`);
  const endAt = performance.now() + ROW_MS;
  let seed = FIRST_SEED;
  do {
    const style = STYLES[seed % STYLES.length] ?? "usual";
    t.diagnostic(await mustKeepPromises({ seed, style }, storesFor(style, ["model", "sqlite"])));
    seed += 1;
  } while (performance.now() < endAt);
});

test("a seed whose run throws is reported with the command that repeats it", async () => {
  const throwAtFirstFault = (line: string): void => {
    if (line.includes("fault 1:")) throw new Error("thrown by the test");
  };
  await assert.rejects(
    mustKeepPromises({ seed: 209, listen: throwAtFirstFault }, ["model", "sqlite"]),
    (error: Error) => {
      assert.match(error.message, /VIOLATED: the run threw \(1\)/);
      assert.match(error.message, /thrown by the test/);
      assert.match(error.message, /npm run simulate -- --seed 209 --store both/);
      return true;
    },
  );
});
