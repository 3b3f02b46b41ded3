import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

/** Ends the process that loads it as soon as that has written the first file of a package. */
const KILLER = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const { writeFileSync } = fs;
  fs.writeFileSync = (path, ...rest) => {
    writeFileSync(path, ...rest);
    if (path.includes(".markethook-pack")) process.kill(process.pid, "SIGKILL");
  };
  syncBuiltinESMExports();`;

/** `npm test` packs the command first. Stopped while it did, it refused the next time to touch what it had begun. */
test("the package of before stays whole while the next is made, and when that is stopped", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "markethook-pack-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const before = join(folder, "package");
  mkdirSync(before);
  writeFileSync(join(before, "package.json"), '{ "name": "markethook" }');
  writeFileSync(join(before, "of-before"), "");
  const killer = `data:text/javascript,${encodeURIComponent(KILLER)}`;
  const pack = join(import.meta.dirname, "pack.ts");
  const args = [`--import=${killer}`, pack, "--unpacked", folder];
  const { signal } = spawnSync(process.execPath, args, { stdio: "ignore" });
  assert.equal(signal, "SIGKILL", "it was stopped before its end");
  assert.deepEqual(readdirSync(folder).sort(), [".markethook-pack", "package"]);
  assert.deepEqual(readdirSync(before), ["of-before", "package.json"]);
});
