import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { checkProgress, type ImportProgress, readProgress, saveProgress } from "./progress-file.ts";
import { emptyTally } from "./tally.ts";

const folder = mkdtempSync(join(tmpdir(), "markethook-progress-"));
after(() => rmSync(folder, { recursive: true }));

const PROGRESS: ImportProgress = {
  api: "https://hooks.example",
  size: 100,
  bytes: 60,
  line: 3,
  sha256: "ab",
  rejectedBytes: 0,
  tally: emptyTally(),
};

test("what is saved is read, and nothing else is left next to it", () => {
  const path = join(folder, "one.json");
  assert.equal(readProgress(path), null);
  saveProgress(path, PROGRESS);
  saveProgress(path, { ...PROGRESS, line: 4 });
  assert.deepEqual(readProgress(path), { ...PROGRESS, line: 4 });
  assert.deepEqual(readdirSync(folder), ["one.json"]);
});

test("a file that was not written by this version is refused with a way out", () => {
  const path = join(folder, "bad.json");
  const texts = ["", "{", "null", "{}", JSON.stringify({ ...PROGRESS, format: 2 })];
  for (const text of [...texts, JSON.stringify({ ...PROGRESS, format: 1, line: -1 })]) {
    writeFileSync(path, text);
    assert.throws(() => readProgress(path), { name: "CommandFailure", exitCode: 2 });
  }
});

test("another service and another beginning of the file are refused", () => {
  const now = { api: PROGRESS.api, sha256: PROGRESS.sha256, source: "all.jsonl" };
  checkProgress(PROGRESS, now);
  assert.throws(() => checkProgress(PROGRESS, { ...now, api: "http://other" }), /was begun at/);
  assert.throws(() => checkProgress(PROGRESS, { ...now, sha256: "cd" }), /was changed since/);
});
