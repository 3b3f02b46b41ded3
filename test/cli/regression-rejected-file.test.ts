/** `--rejected FILE` removed FILE at once, in a dry run too; as root that could be a device. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { linkSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runCommand } from "./command-process.ts";
import { rejections, shops } from "./import-samples.ts";
import { folder, service, useCommands } from "./use-commands.ts";

useCommands();

const BAD = '{"kind":"firstDownload","resourceId":"nowhere","userId":1}';

function at(name: string): string {
  return join(folder, name);
}

function write(name: string, lines: readonly string[]): string {
  writeFileSync(at(name), `${lines.join("\n")}\n`);
  return at(name);
}

async function run(...args: readonly string[]) {
  return await runCommand(["import", "--api", service.address, ...args], {
    env: { MARKETHOOK_API_KEY: service.apiKey },
  });
}

test("a file named for rejected lines stays as it is while none is rejected, and is replaced at the first one", async () => {
  const rejected = write("kept.txt", ["of an earlier run"]);
  const good = write("good.jsonl", shops("good", 1));
  for (const more of [["--dry-run"], []]) {
    assert.equal((await run(good, "--rejected", rejected, ...more)).code, 0);
    assert.equal(readFileSync(rejected, "utf8"), "of an earlier run\n");
  }
  const bad = write("bad.jsonl", [...shops("bad", 1), BAD]);
  const { ino } = lstatSync(rejected);
  assert.equal((await run(bad, "--rejected", rejected)).code, 1);
  assert.deepEqual(
    rejections(rejected).map(({ line, code }) => [line, code]),
    [[4, "resource_unknown"]],
  );
  assert.equal(lstatSync(rejected).ino, ino);
  const made = at("made.txt");
  await run(bad, "--restart", "--rejected", made);
  assert.equal(lstatSync(made).mode & 0o777, 0o600);
});

test("what is not a regular file is refused before anything is imported, and is still there", async () => {
  const bad = write("all.jsonl", [BAD]);
  execFileSync("mkfifo", [at("pipe")]);
  mkdirSync(at("folder"));
  symlinkSync(at("pipe"), at("link"));
  linkSync(bad, at("same"));
  for (const name of ["pipe", "folder", "link"]) {
    for (const more of [["--dry-run"], []]) {
      const { code, stderr } = await run(bad, "--rejected", at(name), ...more);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /is not a regular file/);
    }
  }
  assert.ok(lstatSync(at("pipe")).isFIFO());
  assert.ok(lstatSync(at("link")).isSymbolicLink());
  const same = await run(bad, "--rejected", at("same"));
  assert.deepEqual([same.code, /overwrite the file itself/.test(same.stderr)], [2, true]);
  assert.equal(readFileSync(bad, "utf8"), `${BAD}\n`);
});

test("progress is not kept in place of something that is no file", async () => {
  const file = write("progress.jsonl", shops("progress", 1));
  const target = write("precious.txt", ["precious"]);
  symlinkSync(target, `${file}.markethook-import.json`);
  for (const more of [[], ["--restart"]]) {
    const { code, stderr } = await run(file, ...more);
    assert.deepEqual([code, /is not a regular file/.test(stderr)], [2, true], stderr);
  }
  assert.ok(lstatSync(`${file}.markethook-import.json`).isSymbolicLink());
  assert.equal(readFileSync(target, "utf8"), "precious\n");
});

test("packing into a folder with a folder of that name refuses to remove it", () => {
  mkdirSync(at("package"));
  write("package/mine.txt", ["mine"]);
  assert.throws(
    () =>
      execFileSync(process.execPath, ["tools/pack.ts", "--unpacked", folder], { stdio: "pipe" }),
    { status: 2 },
  );
  assert.equal(readFileSync(at("package/mine.txt"), "utf8"), "mine\n");
});

test("a folder that does not exist is told before anything is imported", async () => {
  const file = write("no-folder.jsonl", [...shops("no-folder", 1), BAD]);
  const { code, stderr } = await run(file, "--rejected", at("missing/rejected.jsonl"));
  assert.equal(code, 2);
  assert.match(stderr, /^markethook: .* cannot be written: there is no folder .*missing\./);
  assert.match((await run(file)).stdout, /resources +1 +0 +0 +0\n/);
});
