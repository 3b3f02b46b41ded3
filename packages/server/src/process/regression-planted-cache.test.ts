/** Another user of the machine could put code into the service: Node's own folder for compiled code may be theirs. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { compileCacheFolder } from "./compile-cache-folder.ts";

const MAIN = join(import.meta.dirname, "../main.ts");
const USER = process.getuid?.() ?? 0;

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "markethook-cache-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("compiled code is kept in a folder that only this user can write to", (t) => {
  const temporary = temporaryFolder(t);
  const folder = compileCacheFolder(temporary, USER);
  assert.ok(folder !== null);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(compileCacheFolder(temporary, USER), folder, "the same one at the next start");
});

test("a folder that another user made, or may write to, or a link in its place, is not used", (t) => {
  const temporary = temporaryFolder(t);
  const folder = compileCacheFolder(temporary, USER) ?? "";
  chmodSync(folder, 0o770);
  assert.equal(compileCacheFolder(temporary, USER), null);
  // What lies there is this user's, and stands for that of another one.
  mkdirSync(join(temporary, `markethook-compile-cache-${USER + 1}`), { mode: 0o700 });
  assert.equal(compileCacheFolder(temporary, USER + 1), null);
  rmSync(folder, { recursive: true });
  symlinkSync(temporary, folder);
  assert.equal(compileCacheFolder(temporary, USER), null);
  assert.equal(compileCacheFolder(join(temporary, "missing"), USER), null);
});

test("the command uses that folder and no other", (t) => {
  const temporary = temporaryFolder(t);
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const run = spawnSync(process.execPath, [MAIN, "--version"], {
    env: { ...env, TMPDIR: temporary },
    encoding: "utf8",
  });
  assert.equal(run.status, 0, run.stderr);
  assert.deepEqual(readdirSync(temporary), [`markethook-compile-cache-${USER}`]);
});
