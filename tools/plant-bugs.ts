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
import { type Plant, PLANTS } from "./plants.ts";

/**
 * Finds out whether the tests are any good: plants one bug after the other into a copy of this tree and runs the tests
 * that must notice. Arguments are parts of names; without any, all are planted. Ends with 1 where one was not caught.
 */
const HELP = `npm run plant-bugs -- [part of a name ...]

Plants known bugs into a copy of this tree, one at a time, and reports which of them the tests catch.`;

const SCOPE = "@markethook";
const NOT_COPIED = new Set(["node_modules", ".git", "data", "screenshots", "dist", "results"]);
/** A bug may leave a test waiting for ever: that is a catch, too. */
const TEST_LIMIT_MS = 30_000;

const wanted = process.argv.slice(2);
if (wanted.includes("--help")) {
  console.log(HELP);
  process.exit(0);
}
const plants = PLANTS.filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
if (plants.length === 0) {
  console.error(`No bug is named like ${wanted.join(", ")}. There are:`);
  for (const { name } of PLANTS) console.error(`  ${name}`);
  process.exit(2);
}

const copy = copyTree();
let missed = 0;
try {
  for (const plant of plants) {
    const caught = tryOut(plant);
    if (!caught) missed += 1;
    console.log(`${caught ? "caught    " : "NOT CAUGHT"}  ${plant.name}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${plants.length - missed} of ${plants.length} caught`);
process.exit(missed === 0 ? 0 : 1);

function tryOut(plant: Plant): boolean {
  const { name, file, find, replace } = plant;
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  if (text.split(find).length !== 2) throw new Error(`${name}: ${file} has changed.`);
  // Without the bug they must pass, or their failing would say nothing.
  if (!passes(plant)) throw new Error(`${name}: its tests fail without the bug.`);
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  const caught = !passes(plant);
  writeFileSync(path, text);
  return caught;
}

function passes({ tests, only }: Plant): boolean {
  const some = only === undefined ? [] : [`--test-name-pattern=^${only}`];
  const limits = [`--test-timeout=${TEST_LIMIT_MS}`, "--test-force-exit"];
  const command = ["--test", ...limits, ...some, ...tests];
  return spawnSync(process.execPath, command, { cwd: copy, stdio: "ignore" }).status === 0;
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
