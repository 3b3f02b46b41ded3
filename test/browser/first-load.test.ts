import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const DIST = "packages/ui/dist/portal";
const MOST_BYTES = 220_000;
const MOST_FILES = 20;

test("the first load of the Webhooks page is at most 220 kB, compressed, in at most 20 files", () => {
  const page = readFileSync(join(DIST, "index.html"), "utf8");
  const files = [...page.matchAll(/(?:src|href)="(\.\.\/assets\/[^"]+\.(?:js|css))"/g)];
  assert.ok(files.length > 3 && files.length <= MOST_FILES, page);
  const bytes = files.reduce((sum, [, file = ""]) => sum + compressedSize(join(DIST, file)), 0);
  assert.ok(bytes <= MOST_BYTES, `${bytes} bytes`);
});

/** Small files are served as they are. */
function compressedSize(file: string): number {
  return statSync(`${file}.gz`, { throwIfNoEntry: false })?.size ?? statSync(file).size;
}
