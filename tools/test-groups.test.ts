import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { groupTests, namedTests, writeGroups } from "./test-groups.ts";

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

test("an error that nothing catches fails its group, and is shown with its stack", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "markethook-groups-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "late.test.mjs");
  writeFileSync(
    file,
    `import { test } from "node:test";
     import { setTimeout as pause } from "node:timers/promises";
     test("late", async () => {
       await pause(1);
       setImmediate(function thrower() { throw new Error("thrown late"); });
       void Promise.reject(new Error("rejected late"));
       await pause(1);
     });`,
  );
  const [group = ""] = writeGroups([{ name: "late", files: [file] }], join(folder, "groups"));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stderr } = spawnSync(process.execPath, [group], { env, encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /^Error: thrown late\n +at .*thrower/m);
  assert.match(stderr, /^Error: rejected late\n +at .*late\.test\.mjs/m);
});

test("each test file is run by npm test or npm run test:full, and few by both", () => {
  const [all, full] = [namedTests("all") ?? [], namedTests("full") ?? []];
  assert.deepEqual([...new Set([...all, ...full])].sort(), FILES.toSorted());
  const twice = full.filter((file) => all.includes(file));
  assert.ok(twice.length > 0 && twice.length < full.length / 3, `${twice.length}`);
});

test("what npm test tries a sample of, npm run test:full tries at full size", () => {
  const full = new Set(namedTests("full"));
  const sampled = FILES.filter((file) =>
    /\bsize(?:<[^(]*>)?\(|^ *for .* of PAGE_PLACES/m.test(readFileSync(file, "utf8")),
  );
  assert.deepEqual(
    sampled.filter((file) => !full.has(file)),
    [],
    "files that use `size` or PAGE_PLACES, and are in no list of tools/test-groups.ts: add them",
  );
  assert.ok(sampled.length > 0);
});

test("a name that matches no test file is refused, also next to others", () => {
  const names = ["tools/plants.test.ts", "tools/no-such.test.ts"];
  const tools = join(import.meta.dirname, "test.ts");
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const run = spawnSync(process.execPath, [tools, ...names], { env, encoding: "utf8" });
  assert.equal(run.status, 1);
  assert.match(run.stderr, /No test file matches tools\/no-such\.test\.ts/);
});
