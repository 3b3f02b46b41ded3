import { parseArgs } from "node:util";
import { commandFor, describeFault, describeRun, differenceOf } from "./describe.ts";
import type { Fault } from "./plan.ts";
import { type RunReport, runSeed, type StoreKind } from "./run-seed.ts";
import { shrink } from "./shrink.ts";

const HELP = `npm run simulate -- [options]

Runs instances of the real sending side in one process over simulated time, with simulated receivers, clocks and
faults that the seed decides, and judges each step. The same seed is the same run, on every machine. What a failing
seed violates is printed with the command that repeats it, and with the few faults that are enough for it.

  --seed N         the first seed; default another one each time
  --count N        so many seeds, one after the other; default 1
  --minutes M      new seeds for so many minutes of real time instead
  --store NAME     sqlite (the real statements, in memory; default), model (plain lists, quicker), or both, whose
                   runs must be the same
  --without LIST   leaves out faults, by their numbers or kinds: 3,5 or kill,suspend
  --plain          without bad neighbours, as seeds were understood when the first ones were recorded
  --storm          many short faults, one on top of the other, in the same worlds
  --failovers      standbys that lack the last commits are promoted, too; with --store model only
  --bail           ends with the first seed that fails
  --no-shrink      does not look for the faults that are enough
  --faults         prints the faults of each seed
  --trace          prints all that happens

Exit code 1 when anything was violated. Example: npm run simulate -- --seed 2049 --count 20
`;

const STYLES = ["plain", "storm", "failovers"] as const;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    count: { type: "string", default: "1" },
    minutes: { type: "string", default: "0" },
    store: { type: "string", default: "sqlite" },
    without: { type: "string", default: "" },
    plain: { type: "boolean", default: false },
    storm: { type: "boolean", default: false },
    failovers: { type: "boolean", default: false },
    bail: { type: "boolean", default: false },
    "no-shrink": { type: "boolean", default: false },
    faults: { type: "boolean", default: false },
    trace: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);
if (values.help) {
  print(HELP);
  process.exit(0);
}
const number = (name: "seed" | "count" | "minutes"): number => {
  const value = Number(values[name]);
  if (!(value >= 0)) throw new Error(`--${name} takes a number`);
  return value;
};
const stores: Readonly<Record<string, readonly StoreKind[]>> = {
  sqlite: ["sqlite"],
  model: ["model"],
  both: ["sqlite", "model"],
};
const chosen = stores[values.store];
if (chosen === undefined) throw new Error(`--store is ${Object.keys(stores).join(" or ")}`);
const [style = "usual", ...others] = STYLES.filter((name) => values[name]);
if (others.length > 0)
  throw new Error(`--${style} and --${others.join(", --")} exclude each other`);
if (values.failovers && values.store !== "model") {
  throw new Error("--failovers takes --store model: SQLite has no standby");
}
const left = new Set(values.without.split(",").filter((part) => part !== ""));
const keeps = ({ id, kind }: Fault): boolean => !left.has(String(id)) && !left.has(kind);

const from = number("seed");
const endAt = performance.now() + number("minutes") * 60_000;
const goesOn = (seed: number): boolean =>
  number("minutes") > 0 ? performance.now() < endAt : seed < from + number("count");
const total = {
  seeds: 0,
  failed: 0,
  requests: 0,
  events: 0,
  faults: 0,
  again: 0,
  hours: 0,
  slowest: 0,
};

for (let seed = from; goesOn(seed) && !(values.bail && total.failed > 0); seed += 1) {
  const reports: RunReport[] = [];
  for (const store of chosen) reports.push(await runOne(seed, store));
  total.seeds += 1;
  const difference = differenceOf(reports);
  if (difference !== null)
    print(`  the stores DIFFER: ${difference}\n  again: ${commandFor(seed, "both", { style })}`);
  if (difference !== null || reports.some(({ violations }) => violations.length > 0)) {
    total.failed += 1;
  }
}
const cpu = process.cpuUsage();
print(
  `${total.seeds} seeds, ${total.failed} failed: ${total.hours.toFixed(1)} simulated instance-hours, ` +
    `${total.faults} faults, ${total.events} events, ${total.requests} requests, ${total.again} sent again, ` +
    `slowest recovery ${Math.round(total.slowest / 1000)} s, ${Math.round((cpu.user + cpu.system) / 1e6)} s of processor`,
);
process.exit(total.failed === 0 ? 0 : 1);

async function runOne(seed: number, store: StoreKind): Promise<RunReport> {
  const listen = values.trace ? (line: string) => void process.stdout.write(line) : undefined;
  const report = await runSeed({
    seed,
    store,
    style,
    keeps,
    ...(listen === undefined ? {} : { listen }),
  });
  total.requests += report.written;
  total.events += report.events;
  total.faults += report.struck;
  total.again += report.duplicates;
  total.hours += (report.simulatedMs * report.instances) / 3_600_000;
  total.slowest = Math.max(total.slowest, report.drainedMs);
  print(describeRun(report));
  if (values.faults) for (const fault of report.faults) print(describeFault(fault));
  if (report.violations.length === 0) return report;
  print(`  again: ${commandFor(seed, store, { style })}`);
  if (values["no-shrink"] || left.size > 0) return report;
  const small = await shrink(report, { seed, store, style });
  print(`  enough: ${commandFor(seed, store, { style, without: small.without })}`);
  for (const fault of small.report.faults) print(`  ${describeFault(fault)}`);
  return report;
}
