import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { scratchFolder } from "./scratch-folder.ts";

/** Above the highest number of a process on any system. */
const NEVER_A_PROCESS = 2 ** 30;

function memory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "markethook-memory-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("tests keep their temporary files in a folder that other users may enter", (t) => {
  const folder = scratchFolder(memory(t), 1) ?? assert.fail();
  assert.equal(statSync(folder).mode & 0o005, 0o005);
});

test("what a killed run has left in memory is removed, and what a running one uses stays", (t) => {
  const path = memory(t);
  const left = join(path, `markethook-tests-${NEVER_A_PROCESS}`);
  const used = join(path, `markethook-tests-${process.ppid}`);
  const foreign = join(path, "sem.other");
  for (const folder of [left, used, foreign]) mkdirSync(folder);
  scratchFolder(path, 1);
  assert.deepEqual([left, used, foreign].map(existsSync), [false, true, true]);
});

test("without room in memory, or without such a place, files go to the usual folder", (t) => {
  assert.equal(scratchFolder(memory(t), Number.MAX_SAFE_INTEGER), null);
  assert.equal(scratchFolder(join(memory(t), "absent")), null);
});
