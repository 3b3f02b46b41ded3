import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

/** `npm test` packs the command first. Stopped in that moment, it refused the next time to touch what it had begun. */
test("a folder that was being packed when it was stopped is known as one that may be replaced", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "markethook-pack-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const watcher = watch(folder, { recursive: true });
  t.after(() => watcher.close());
  const packing = spawn(
    process.execPath,
    [join(import.meta.dirname, "pack.ts"), "--unpacked", folder],
    { stdio: "ignore" },
  );
  const ended = once(packing, "exit");
  const staging = join(folder, "package");
  while (!existsSync(staging)) await Promise.race([once(watcher, "change"), ended]);
  packing.kill("SIGKILL");
  await ended;
  const manifest: unknown = JSON.parse(readFileSync(join(staging, "package.json"), "utf8"));
  assert.equal((manifest as { name: string }).name, "markethook");
  assert.ok(!existsSync(join(staging, "LICENSE")), "it was stopped before its end");
});
