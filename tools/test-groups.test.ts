import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { groupTests, NAMED_TESTS, writeGroups } from "./test-groups.ts";

const FILES = globSync("{packages,examples,bench,tools,test}/**/*.test.ts", {
  exclude: ["**/node_modules/**"],
});

test("each test file is in one group, and few processes run them all", () => {
  const groups = groupTests(FILES);
  assert.deepEqual(groups.flatMap(({ files }) => files).sort(), FILES.toSorted());
  assert.equal(new Set(groups.map(({ name }) => name)).size, groups.length);
  assert.ok(groups.length < FILES.length / 3, `${groups.length} of ${FILES.length}`);
});

test("no test file that shares a process waits at its top level: its tests would not be its suite's", () => {
  const waiting = groupTests(FILES)
    .flatMap(({ files }) => (files.length > 1 ? files : []))
    .filter((file) => /^(?:(?:const|let) [^=]+= )?await /m.test(readFileSync(file, "utf8")));
  assert.deepEqual(waiting, []);
});

test("what a file does before its tests is done before no other's, though both load the same modules", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "markethook-groups-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "shared.mjs"), "await new Promise(setImmediate);");
  const files = ["a", "b"].map((name) => {
    const file = join(folder, `${name}.test.mjs`);
    writeFileSync(
      file,
      `import { beforeEach, test } from "node:test";
       import "./shared.mjs";
       console.log("loaded ${name}");
       beforeEach(() => console.log("before ${name}"));
       test("${name}", () => {});`,
    );
    return file;
  });
  const [group = ""] = writeGroups([{ name: "two", files }], join(folder, "groups"));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const output = execFileSync(process.execPath, [group], { env, encoding: "utf8" });
  assert.deepEqual(output.match(/^(?:loaded|before) .*$/gm), [
    "loaded a",
    "loaded b",
    "before a",
    "before b",
  ]);
});

test("what npm test tries on one database, npm run test:full tries on the other", () => {
  const full = new Set((NAMED_TESTS["full"] ?? []).flatMap((pattern) => globSync(pattern)));
  const onOne = FILES.filter((file) =>
    /^ *for .* of PAGE_PLACES/m.test(readFileSync(file, "utf8")),
  );
  assert.deepEqual(
    onOne.filter((file) => !full.has(file)),
    [],
    "files that use PAGE_PLACES and are not in FULL of tools/test-groups.ts: add them",
  );
  assert.ok(onOne.length > 0);
});
