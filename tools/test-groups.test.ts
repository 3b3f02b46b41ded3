import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { groupTests, NAMED_TESTS } from "./test-groups.ts";

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

test("what npm test tries on one database, npm run test:full tries on the other", () => {
  const full = new Set((NAMED_TESTS["full"] ?? []).flatMap((pattern) => globSync(pattern)));
  const onOne = FILES.filter((file) =>
    /^ *for .* of PAGE_PLACES/m.test(readFileSync(file, "utf8")),
  );
  assert.deepEqual(
    onOne.filter((file) => !full.has(file)),
    [],
  );
  assert.ok(onOne.length > 0);
});
