import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isMarkethookError } from "@markethook/protocol";
import { inspectConfig } from "../settings/config.ts";
import { readKeyFile } from "./master-key.ts";

const KEY = randomBytes(32);
const TEXT = KEY.toString("base64");
const DAMAGED = [`${TEXT}=x`, `${TEXT}x`, `${TEXT}=`, `####${TEXT}`, `"${TEXT}"`, TEXT.slice(1)];

test("a master key with anything around it is an invalid setting, not another key", () => {
  const faults = (value: string) => inspectConfig({ MARKETHOOK_MASTER_KEY: value }).faults;
  for (const damaged of DAMAGED) {
    const [fault, ...others] = faults(damaged);
    assert.deepEqual([fault?.name, others], ["MARKETHOOK_MASTER_KEY", []]);
    assert.ok(fault?.sentence.includes(TEXT.slice(1)) === false);
  }
});

test("a master key is read in either alphabet of base64, padded or not, and several with commas", () => {
  const texts = [TEXT, KEY.toString("base64url"), TEXT.slice(0, -1), `${TEXT}, ${TEXT}`];
  for (const text of texts) {
    const { config, faults } = inspectConfig({ MARKETHOOK_MASTER_KEY: text });
    assert.deepEqual(faults, []);
    assert.ok(config.masterKey?.every((key) => key.equals(KEY)));
  }
});

test("a file of keys is read as strictly", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "markethook-key-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "master.key");
  for (const damaged of DAMAGED) {
    writeFileSync(file, `${TEXT}\n${damaged}\n`);
    assert.throws(
      () => readKeyFile(file),
      (error) =>
        isMarkethookError(error, "master_key_wrong") && /does not hold/.test(error.message),
    );
  }
  writeFileSync(file, `${TEXT}\n${TEXT}\n`);
  assert.deepEqual(readKeyFile(file), [KEY, KEY]);
});
