import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { isMarkethookError, MarkethookError } from "@markethook/protocol";
import { readConfig } from "../settings/config.ts";
import { readKeyFile, readMasterKeys } from "./master-key.ts";

function folder(t: TestContext): { path: string; read: () => ReturnType<typeof readMasterKeys> } {
  const path = mkdtempSync(join(tmpdir(), "markethook-key-"));
  t.after(() => rmSync(path, { recursive: true }));
  return { path, read: () => readMasterKeys(readConfig({ MARKETHOOK_DATA_DIR: path })) };
}

test("a key is made at the first start, for its owner's eyes only, and found again", (t) => {
  const { path, read } = folder(t);
  const first = read();
  first.confirm();
  assert.equal(statSync(join(path, "master.key")).mode & 0o777, 0o600);
  assert.deepEqual(read().keys, first.keys);
});

test("a start that ended before the store had opened goes on with the same new key", (t) => {
  const { read } = folder(t);
  const first = read();
  assert.deepEqual(read().keys, first.keys);
});

test("a new key that the store refused leaves no file behind, and the old one is what is missing", (t) => {
  const { path, read } = folder(t);
  const told = read().refused(new MarkethookError("master_key_wrong"));
  assert.ok(isMarkethookError(told, "master_key_missing"));
  assert.ok(told.message.includes(join(path, "master.key")));
  assert.equal(existsSync(join(path, "master.key")), false);
  assert.equal(existsSync(join(path, "master.key.new")), false);
});

test("a refusal for another reason, or of a key that was given, is told as it is", (t) => {
  const { path, read } = folder(t);
  const full = new MarkethookError("storage_full");
  assert.equal(read().refused(full), full);
  assert.equal(existsSync(join(path, "master.key.new")), true);
  read().confirm();
  const wrong = new MarkethookError("master_key_wrong");
  assert.equal(read().refused(wrong), wrong);
  assert.equal(existsSync(join(path, "master.key")), true);
});

test("a new key file is created, never written through a link that was put there", (t) => {
  const { path, read } = folder(t);
  const target = join(path, "target");
  symlinkSync(target, join(path, "master.key.new"));
  assert.throws(read, { code: "ENOENT" });
  assert.equal(existsSync(target), false);
});

test("a key file that the service's user cannot read says so, and what to do", (t) => {
  const { path } = folder(t);
  const refused = (file: string) => (): unknown => readKeyFile(file);
  const says = (words: RegExp) => (error: unknown) =>
    isMarkethookError(error, "master_key_missing") && words.test(error.message);
  mkdirSync(join(path, "mounted"));
  assert.throws(refused(join(path, "mounted")), says(/mounted is a folder, not a file/));
  const closed = join(path, "closed");
  writeFileSync(closed, "", { mode: 0o000 });
  if (process.getuid?.() === 0) return; // Root reads it.
  assert.throws(refused(closed), says(/closed cannot be read by the service's user/));
});

test("a new key that the disk had no room for leaves no file, which the next start would keep", (t) => {
  const { path } = folder(t);
  const file = join(path, "master.key.new");
  const make = `import { createFileOnce } from ${JSON.stringify(import.meta.resolve("./master-key.ts"))};
    createFileOnce(${JSON.stringify(file)}, () => "a key");`;
  // The process may write no byte to a file, as on a full disk.
  const run = spawnSync(
    "sh",
    ["-c", 'ulimit -f 0; exec "$0" --input-type=module -e "$1"', process.execPath, make],
    { encoding: "utf8" },
  );
  assert.match(run.stderr, /EFBIG/);
  assert.equal(existsSync(file), false);
});

test("several keys from the environment: the first one encrypts", () => {
  const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const { keys } = readMasterKeys(
    readConfig({ MARKETHOOK_MASTER_KEY: `${one.toString("base64")},${two.toString("base64")}` }),
  );
  assert.deepEqual(keys, [one, two]);
});

test("a named key file that is not there is refused, not made", (t) => {
  const { path } = folder(t);
  const config = readConfig({
    MARKETHOOK_DATA_DIR: path,
    MARKETHOOK_MASTER_KEY_FILE: join(path, "gone.key"),
  });
  assert.throws(() => readMasterKeys(config), { code: "master_key_missing" });
});

test("a key file that holds something else is refused", (t) => {
  const { path } = folder(t);
  const file = join(import.meta.dirname, "master-key.ts");
  assert.ok(readFileSync(file).length > 0);
  const config = readConfig({ MARKETHOOK_DATA_DIR: path, MARKETHOOK_MASTER_KEY_FILE: file });
  assert.throws(() => readMasterKeys(config), { code: "master_key_wrong" });
});
