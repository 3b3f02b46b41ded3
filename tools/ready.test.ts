import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inFolder } from "../packages/store/src/testing/temporary-folder.ts";

const root = join(import.meta.dirname, "..");

/** A checkout in which nothing is installed, as far as these scripts look. */
function checkout(folder: string): void {
  for (const path of ["package.json", "tools/ready.cjs"]) {
    cpSync(join(root, path), join(folder, path));
  }
}

function run(file: string, args: string[], cwd: string): { status: number | null; said: string } {
  const { status, stderr } = spawnSync(file, args, { cwd, encoding: "utf8" });
  return { status, said: stderr };
}

/** As if this Node were an older one. */
function runAs(version: string, folder: string): { status: number | null; said: string } {
  const older = `
    Object.defineProperty(process.versions, "node", { value: "${version}" });
    Object.defineProperty(process, "version", { value: "v${version}" });
    require("./tools/ready.cjs");
  `;
  return run(process.execPath, ["-e", older], folder);
}

for (const command of [["start"], ["test"], ["run", "check"], ["run", "bench"]]) {
  test(
    `npm ${command.join(" ")} before npm ci says what to do, and nothing else`,
    inFolder((folder) => {
      checkout(folder);
      const { status, said } = run("npm", [...command, "--silent"], folder);
      assert.equal(status, 1);
      assert.match(said, /^Run `npm ci` first\. .*\n$/);
    }),
  );
}

test(
  "a Node that is too old is named, with the one that is needed and where it comes from",
  inFolder((folder) => {
    checkout(folder);
    assert.match(runAs("18.20.0", folder).said, /`npm ci` first.*\n.*Node 20 or later.*v18\.20\.0/);
    mkdirSync(join(folder, "node_modules"));
    writeFileSync(join(folder, "node_modules/.package-lock.json"), "{}");
    const { status, said } = runAs("22.1.0", folder);
    assert.equal(status, 1);
    assert.match(said, /^Node 24 or later is needed; this is v22\.1\.0\.\n[^]*install Node 26/);
    assert.deepEqual(runAs("24.0.0", folder), { status: 0, said: "" });
  }),
);
