import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { counts, type Manifest, violations } from "./dependency-rules.ts";
import { foreignFolders, type LockedPackages } from "./lockfile.ts";

/**
 * Checks what comes from others: licences, scripts at installation, where it comes from, exact versions, and how much
 * of it there is. Part of `npm run check`; ends with 1 and a sentence per violation.
 */
const root = join(import.meta.dirname, "..");
const GOAL = 40;

/** Files that npm wrote, or reads: their form is known. */
function read(path: string): unknown {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

const { packages } = read("package-lock.json") as { packages: LockedPackages };
const paths = [
  "package.json",
  ...globSync(["{packages,examples,tools}/*/package.json", "bench/package.json"], {
    cwd: root,
  }),
];
const ofAll = violations({
  packages,
  manifests: Object.fromEntries(paths.map((path) => [path, read(path) as Manifest])),
  installed(folder) {
    const path = `${folder}/package.json`;
    return existsSync(join(root, path)) ? (read(path) as Manifest) : null;
  },
});
/** What `npm ci` does not bring; what of it is installed here is not looked into. */
const onDemand = globSync("tools/on-demand/*/package-lock.json", { cwd: root });
const ofTools = onDemand.flatMap((path) =>
  violations({
    packages: (read(path) as { packages: LockedPackages }).packages,
    manifests: { [path.replace("-lock", "")]: read(path.replace("-lock", "")) as Manifest },
    installed: () => null,
  }),
);
const found = [...ofAll, ...ofTools];
for (const sentence of found) console.error(sentence);
for (const { workspace, count, ceiling } of counts(packages)) {
  console.log(`${workspace}: ${count} packages of others at run time, at most ${ceiling}.`);
}
console.log(
  `${foreignFolders(packages).length} packages of others in all; the service's goal is ${GOAL} at run time.`,
);
process.exitCode = found.length === 0 ? 0 : 1;
