import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type BadManner, badNeighbours } from "./cases/bad-neighbours.ts";
import { bareLoop } from "./cases/ceilings.ts";
import { https, manyOrigins } from "./cases/https.ts";
import { latencies } from "./cases/latency.ts";
import { manyWebhooks } from "./cases/many-webhooks.ts";
import { pending } from "./cases/pending.ts";
import { measureRound } from "./cases/rates.ts";
import { startStoreRates } from "./cases/store-rates.ts";
import { broken, goals } from "./report/goals.ts";
import { describeMachine } from "./report/machine.ts";
import { printResults } from "./report/print.ts";
import { compare, record } from "./report/recorded.ts";
import type { Results } from "./report/results.ts";
import { spread } from "./report/statistics.ts";
import { peerMissing } from "./rig/peer.ts";
import type { StoreKind } from "./rig/service.ts";
import { startWorld, type World } from "./rig/world.ts";
import { FULL, SHORT, type Sizes } from "./sizes.ts";

const HELP = `npm run bench -- [options]

Measures Markethook against what limits it and against a pipeline on BullMQ, receiver and load on this machine.
Everything in one run; only ratios mean something elsewhere. Takes about 40 minutes, with --short a minute.

  --short            rates, and kept https, once
  --store NAME       sqlite or postgres; default both
  --case NAME        rates, https, latency, hanging, failing, pending, webhooks; may be repeated; default all
  --repeats N        rounds of the rates
  --sender-threads N runs https with N sender threads; may be repeated, e.g. 0 and 1; default 0
  --check            exit 1 when a ratio to the bare loop is below two thirds of bench/recorded.json, when more than
                     half as many bytes again are written, and when https dials too often
  --record           write bench/recorded.json
  --out FILE         JSON; default bench/results/latest.json
  --help

BENCH_POSTGRES: the URL of a PostgreSQL on this machine, with its superuser, in the place of the one from npm.

Example: npm run bench -- --store sqlite --case rates --repeats 5`;

const CASES = ["rates", "https", "latency", "hanging", "failing", "pending", "webhooks"] as const;
/** Low enough for the machine, high enough for those that hang to fill their share at once. */
const HANGING_EVENTS_PER_SECOND = 1000;
const KINDS: readonly StoreKind[] = ["sqlite", "postgres"];

const { values: options } = readArguments();
if (options.help) {
  console.log(HELP);
  process.exit();
}
const sizes: Sizes = {
  ...(options.short ? SHORT : FULL),
  ...(options.repeats === undefined ? {} : { repeats: Number(options.repeats) }),
  ...(options["sender-threads"] === undefined
    ? {}
    : { senderThreads: options["sender-threads"].map(Number) }),
};
const kinds = KINDS.filter((kind) => options.store === undefined || options.store === kind);
const chosen = new Set(options.case ?? (options.short ? ["rates", "https"] : CASES));
for (const [what, ok] of [
  [`--store ${options.store}`, kinds.length > 0],
  [
    `--case ${[...chosen].join(" ")}`,
    [...chosen].every((name) => CASES.some((one) => one === name)),
  ],
  [
    `--sender-threads ${sizes.senderThreads.join(" ")}`,
    sizes.senderThreads.every((threads) => Number.isInteger(threads) && threads >= 0),
  ],
  [`--repeats ${options.repeats}`, Number.isInteger(sizes.repeats) && sizes.repeats > 0],
] as const) {
  if (!ok) refuse(`${what} is not possible.`);
}

const machine = describeMachine();
console.log(
  `${machine.cores} cores, ${machine.cpu}, ${machine.memoryGib} GiB, Node ${machine.node}`,
);
if (machine.loadBefore > 1) {
  console.log(`Other work is running (load ${machine.loadBefore}): the figures will be low.`);
}
const world = await startWorld();
try {
  const results = await measure(world);
  const checked = goals(results);
  printResults(results, checked);
  save({ at: new Date().toISOString(), machine, sizes, results, goals: checked });
  if (options.record) record(results);
  if (options.check) {
    const faults = [...compare(results), ...broken(checked)];
    for (const fault of faults) console.error(fault);
    if (faults.length > 0) process.exitCode = 1;
  }
} finally {
  await world.stop();
}

async function measure(of: World): Promise<Results> {
  const results: Results = {
    rounds: [],
    latency: {},
    badNeighbours: {},
    pending: {},
    manyWebhooks: {},
    https: {},
    skipped: [],
  };
  const missing = peerMissing();
  if (missing !== null) results.skipped.push(`the BullMQ pipeline: ${missing}`);
  if (chosen.has("rates")) {
    await bareLoop(of, sizes.warmUpEvents);
    for (let no = 1; no <= sizes.repeats; no += 1) {
      const withPeer = missing === null && !options.short;
      console.log(`round ${no} of ${sizes.repeats}: all take turns`);
      await attempt(results, `round ${no}`, async () => {
        await told(`round ${no}`, "rates", async () => {
          results.rounds.push(await measureRound(of, { kinds, sizes, withPeer }));
        });
      });
    }
  }
  for (const kind of kinds) {
    const run = async (name: string, work: () => Promise<void>): Promise<void> => {
      if (!chosen.has(name)) return;
      await attempt(results, `${kind}, ${name}`, () => told(kind, name, work));
    };
    const nextTo = async (manner: BadManner, eventsPerSecond: number): Promise<void> => {
      const rounds = await badNeighbours(of, kind, sizes, { manner, eventsPerSecond });
      results.badNeighbours[kind] = { ...results.badNeighbours[kind], [manner]: rounds };
    };
    await run("https", async () => {
      results.https[kind] = await https(of, kind, sizes);
      if (sizes.https.origins > 0)
        results.https[kind].push(...(await manyOrigins(of, kind, sizes)));
    });
    await run("latency", async () => {
      results.latency[kind] = await latencies(
        of,
        kind,
        await highestRate(of, kind, results),
        sizes,
      );
    });
    await run("hanging", async () => {
      await nextTo("hang", HANGING_EVENTS_PER_SECOND);
    });
    await run("failing", async () => {
      await nextTo("fail", Math.round((await highestRate(of, kind, results)) / 2));
    });
    await run("pending", async () => {
      results.pending[kind] = await pending(of, kind, sizes);
    });
    await run("webhooks", async () => {
      results.manyWebhooks[kind] = await manyWebhooks(of, kind, sizes);
    });
  }
  return results;
}

/** Of single events: as the rounds have shown, or measured now. */
async function highestRate(of: World, kind: StoreKind, { rounds }: Results): Promise<number> {
  const rates = rounds.flatMap(({ stores }) => stores[kind]?.single.deliveredPerSecond ?? []);
  if (rates.length > 0) return spread(rates).median;
  const store = await startStoreRates(of, kind, sizes);
  try {
    return (await store.single(sizes.singleEvents)).deliveredPerSecond;
  } finally {
    await store.stop();
  }
}

/** One case that fails must not cost the others their figures. */
async function attempt(results: Results, name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error);
    results.skipped.push(
      `${name} failed: ${error instanceof Error ? error.message : String(error)}`,
    );
    process.exitCode = 1;
  }
}

async function told<T>(who: string, what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  console.log(`  ${who}, ${what}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  return result;
}

function save(report: unknown): void {
  const file = options.out ?? new URL("../results/latest.json", import.meta.url).pathname;
  if (options.out === undefined)
    mkdirSync(new URL("../results/", import.meta.url), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  console.log(`\nJSON: ${file}`);
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        short: { type: "boolean" },
        store: { type: "string" },
        case: { type: "string", multiple: true },
        repeats: { type: "string" },
        "sender-threads": { type: "string", multiple: true },
        check: { type: "boolean" },
        record: { type: "boolean" },
        out: { type: "string" },
        help: { type: "boolean" },
      },
    });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(sentence: string): never {
  console.error(`${sentence}\n\n${HELP}`);
  process.exit(2);
}
