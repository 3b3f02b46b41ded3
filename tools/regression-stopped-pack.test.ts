import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

/** `npm test` packs the command first. Stopped while it did, it refused the next time to touch what it had begun. */
test("the package of before stays whole while the next is made, and when that is stopped", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "markethook-pack-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const before = join(folder, "package");
  mkdirSync(before);
  writeFileSync(join(before, "package.json"), '{ "name": "markethook" }');
  writeFileSync(join(before, "of-before"), "");
  const watcher = watch(folder);
  t.after(() => watcher.close());
  const packing = spawn(
    process.execPath,
    [join(import.meta.dirname, "pack.ts"), "--unpacked", folder],
    { stdio: "ignore" },
  );
  const ended = once(packing, "exit");
  const work = join(folder, ".markethook-pack");
  while (!existsSync(work) && packing.exitCode === null)
    await Promise.race([once(watcher, "change"), ended]);
  packing.kill("SIGKILL");
  const [, signal] = await ended;
  assert.equal(signal, "SIGKILL", "it was stopped before its end");
  assert.deepEqual(readdirSync(before), ["of-before", "package.json"]);
});
