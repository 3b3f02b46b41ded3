import { spawnSync } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "..");
const SOURCES = [
  "packages/ui/{src,portal,operator,docs}/**/*",
  "packages/ui/*.{ts,json}",
  "packages/{chat,client,protocol}/src/**/*.ts",
  "examples/receivers/[rR]eceiver.*",
  "package-lock.json",
];
/** Written by each build, and last. */
const BUILT = "packages/ui/dist/portal/index.html";

/** Builds the pages that the service serves, unless they are newer than their sources. */
export function buildUi(): void {
  if (newest([BUILT]) > newest(SOURCES)) return;
  process.stderr.write("Building the pages…\n");
  const startedAt = performance.now();
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const { status } = spawnSync(
    process.execPath,
    [vite, "build", join(root, "packages/ui"), "--logLevel", "warn"],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  if (status !== 0) throw new Error("The pages could not be built; see above.");
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stderr.write(`Built the pages in ${seconds} s.\n`);
}

/** When the newest of these files or folders changed; 0: there is none. */
export function newest(patterns: string[]): number {
  const times = globSync(patterns, { cwd: root }).map(
    (file) => statSync(resolve(root, file)).mtimeMs,
  );
  return Math.max(0, ...times);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) buildUi();
