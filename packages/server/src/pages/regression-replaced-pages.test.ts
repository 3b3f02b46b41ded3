/** Files that an upgrade replaced below a running service were announced with their old size: browsers waited for the rest. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { text } from "node:stream/consumers";
import { listBuiltFiles } from "./built-files.ts";

test("a page that was replaced is sent with the size that it has now, and one that is gone is not found", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "markethook-pages-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const page = join(folder, "portal/index.html");
  mkdirSync(join(folder, "portal"));
  writeFileSync(page, "the page before");
  const files = listBuiltFiles(folder);
  const before = files.find("portal/", null);
  writeFileSync(page, "shorter");
  const now = files.find("portal/", null);
  assert.ok(before && now);
  assert.equal(now.bytes, (await text(now.open())).length);
  assert.notEqual(now.etag, before.etag);
  rmSync(page);
  assert.equal(files.find("portal/", null), null);
  writeFileSync(join(folder, "portal/other.html"), "not listed");
  assert.equal(files.find("portal/other.html", null), null);
});
