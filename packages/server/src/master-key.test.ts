import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { readConfig } from "./config.ts";
import { readMasterKeys } from "./master-key.ts";

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

test("a new key that the store refused leaves no file behind", (t) => {
  const { path, read } = folder(t);
  read().discard();
  assert.equal(existsSync(join(path, "master.key")), false);
  assert.equal(existsSync(join(path, "master.key.new")), false);
});

test("several keys from the environment: the first one seals", () => {
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
