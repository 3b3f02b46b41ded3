import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Bug, changesOf, type Plant, PLANTS, type SimulationPlant } from "./plants.ts";
import { SIMULATION_PLANTS } from "./simulation-plants.ts";

/**
 * Finds out whether the tests and the simulation are any good: plants one bug after the other into a copy of this tree and
 * runs what must notice. Arguments are parts of names; without any, all are planted. Ends with 1 where one was not caught.
 */
const HELP = `npm run plant-bugs -- [--seed N] [part of a name ...]

Plants known bugs into a copy of this tree, one at a time, and reports which of them are caught: some by the tests that
are named with them, the others by the simulation, with seeds from N on, or else from 1.`;

const SCOPE = "@markethook";
const NOT_COPIED = new Set(["node_modules", ".git", "data", "screenshots", "dist", "results"]);
/** A bug may leave a test waiting for ever: that is a catch, too. */
const TEST_LIMIT_MS = 30_000;
const SEEDS = 60;
const SIMULATION_LIMIT_MS = 900_000;

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { help: { type: "boolean", default: false }, seed: { type: "string", default: "1" } },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const isWanted = ({ name }: Bug): boolean =>
  wanted.length === 0 || wanted.some((part) => name.includes(part));
const forTests = PLANTS.filter(isWanted);
const forSimulation = SIMULATION_PLANTS.filter(isWanted);
const count = forTests.length + forSimulation.length;
if (count === 0) {
  console.error(`No bug is named like ${wanted.join(", ")}. There are:`);
  for (const { name } of [...PLANTS, ...SIMULATION_PLANTS]) console.error(`  ${name}`);
  process.exit(2);
}

interface Run {
  from?: number;
  seeds?: number;
  failovers?: boolean;
}

interface Found {
  seed: number;
  what: string;
}

const copy = copyTree();
let missed = 0;
/** Seeds that find nothing without a bug, with their style. */
const cleanRuns = new Set<string>();
try {
  for (const plant of forTests) {
    // Without the bug they must pass, or their failing would say nothing.
    if (!passes(plant)) throw new Error(`${plant.name}: its tests fail without the bug.`);
    report(
      plant,
      planted(plant, () => (passes(plant) ? null : "by its tests")),
    );
  }
  for (const bug of forSimulation) {
    const found = planted(bug, () => simulate(bug));
    if (found !== null) checkFindsNothing(found.seed, bug);
    report(bug, found === null ? null : `by seed ${found.seed}: ${found.what}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${count - missed} of ${count} caught`);
process.exit(missed === 0 ? 0 : 1);

function report({ name }: Bug, foundBy: string | null): void {
  if (foundBy === null) missed += 1;
  console.log(
    `${foundBy === null ? "NOT CAUGHT" : "caught    "}  ${name}${foundBy === null ? "" : `: ${foundBy}`}`,
  );
}

function planted<T>(bug: Bug, tryOut: () => T): T {
  const undo: (() => void)[] = [];
  for (const { file, find, replace } of changesOf(bug)) {
    const path = join(copy, file);
    const text = readFileSync(path, "utf8");
    if (text.split(find).length !== 2) throw new Error(`${bug.name}: ${file} has changed.`);
    writeFileSync(
      path,
      text.replace(find, () => replace),
    );
    undo.push(() => writeFileSync(path, text));
  }
  const foundBy = tryOut();
  for (const one of undo.reverse()) one();
  return foundBy;
}

function passes({ tests, only }: Plant): boolean {
  const some = only === undefined ? [] : [`--test-name-pattern=^${only}`];
  const limits = [`--test-timeout=${TEST_LIMIT_MS}`, "--test-force-exit"];
  const command = ["--test", ...limits, ...some, ...tests];
  return spawnSync(process.execPath, command, { cwd: copy, stdio: "ignore" }).status === 0;
}

/** Null: it found nothing. */
function simulate({
  from = Number(values.seed),
  seeds = SEEDS,
  failovers = false,
}: Run): Found | null {
  const style = failovers ? ["--failovers", "--store", "model"] : [];
  const which = ["--seed", String(from), "--count", String(seeds)];
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["test/simulation/main.ts", ...which, "--bail", "--no-shrink", ...style],
    { cwd: copy, encoding: "utf8", timeout: SIMULATION_LIMIT_MS },
  );
  if (status === 0) return null;
  const last = from - 1 + (stdout.match(/^seed /gm)?.length ?? 0);
  const violated = /VIOLATED: (.*)/.exec(stdout)?.[1];
  if (violated !== undefined) return { seed: last, what: violated };
  const what = status === null ? "it never ends" : (stderr.trim().split("\n").at(-1) ?? "");
  return { seed: last + 1, what };
}

/** What a seed finds without a bug as well does not count. */
function checkFindsNothing(seed: number, { failovers = false }: SimulationPlant): void {
  const run = `${seed} ${failovers}`;
  if (cleanRuns.has(run)) return;
  const found = simulate({ from: seed, seeds: 1, failovers });
  if (found !== null) throw new Error(`Seed ${seed} finds something without a bug: ${found.what}`);
  cleanRuns.add(run);
}

/** Of the sources; the packages that were installed are linked, but our own among them lead into the copy. */
function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), "markethook-plants-"));
  cpSync(".", folder, {
    recursive: true,
    filter: (path) => !NOT_COPIED.has(path.split(/[/\\]/).at(-1) ?? ""),
  });
  mkdirSync(join(folder, "node_modules", SCOPE), { recursive: true });
  for (const entry of readdirSync("node_modules")) {
    if (entry === SCOPE) continue;
    symlinkSync(resolve("node_modules", entry), join(folder, "node_modules", entry));
  }
  for (const entry of readdirSync(join("node_modules", SCOPE))) {
    const own = relative(process.cwd(), realpathSync(join("node_modules", SCOPE, entry)));
    symlinkSync(join(folder, own), join(folder, "node_modules", SCOPE, entry));
  }
  return folder;
}
