import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { jsonFile } from "./json-options.ts";

const folder = mkdtempSync(join(tmpdir(), "markethook-json-"));
after(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const path = join(folder, "file.json");
  writeFileSync(path, text);
  return path;
}

test("a file's object is read, and anything else is refused with what is wrong", () => {
  assert.deepEqual(jsonFile(fileOf('{"refunds": "edit"}')), { refunds: "edit" });
  assert.throws(() => jsonFile(join(folder, "none.json")), /no such file/);
  assert.throws(() => jsonFile(fileOf("{")), /not JSON/);
  for (const text of ["[]", "1", "null", '"{}"']) {
    assert.throws(() => jsonFile(fileOf(text)), /no JSON object/);
  }
});
