import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inFolder } from "../../packages/store/src/testing/temporary-folder.ts";
import { onDemand } from "../../tools/on-demand/install.ts";

const root = join(import.meta.dirname, "../..");
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), "utf8"));

/** The workspace without its packages but those that bring Node, as nothing else takes part in this. */
function copyWithNodeAlone(folder: string): void {
  const own = read("package.json") as {
    scripts: { postinstall: string };
    engines: object;
    optionalDependencies: { [name: string]: string };
  };
  const { engines, optionalDependencies } = own;
  const scripts = { postinstall: own.scripts.postinstall, which: "node -p process.execPath" };
  const manifest = { name: "node-alone", scripts, engines, optionalDependencies };
  const lock = read("package-lock.json") as { packages: { [path: string]: object } };
  const paths = Object.keys(optionalDependencies).map((name) => `node_modules/${name}`);
  const packages = Object.fromEntries(paths.map((path) => [path, lock.packages[path]]));
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(
    join(folder, "package-lock.json"),
    JSON.stringify({ ...lock, name: "node-alone", packages: { "": manifest, ...packages } }),
  );
  mkdirSync(join(folder, "tools"));
  for (const name of [".npmrc", "tools/brought-node.cjs", "tools/node-version.cjs"]) {
    cpSync(join(root, name), join(folder, name));
  }
}

test(
  "npm ci of the npm that comes with Node 20 and 22 brings the Node that npm start runs",
  inFolder(async (folder) => {
    const npm = join(await onDemand("npm-10"), "node_modules/npm/bin/npm-cli.js");
    copyWithNodeAlone(folder);
    const run = (...words: string[]): string =>
      execFileSync(process.execPath, [npm, ...words], { cwd: folder, encoding: "utf8" });
    run("ci", "--prefer-offline");
    const found = run("run", "--silent", "which").trim();
    assert.ok(found.startsWith(realpathSync(folder)), found);
  }),
);
