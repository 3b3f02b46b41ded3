import assert from "node:assert/strict";
import { test } from "node:test";
import { openProgress } from "./progress.ts";
import { said, testContext, testHost } from "../testing/test-host.ts";

test("where standard error is no terminal, progress is a plain line for each tenth", async () => {
  const host = testHost([]);
  const progress = openProgress(testContext(host), "Reading", 1000);
  for (let done = 1; done <= 1000; done += 1) progress.at(done);
  progress.end("1000 read.");
  const { stdout, stderr } = await said(host);
  assert.equal(stdout, "");
  assert.deepEqual(stderr.split("\n").slice(0, 2), [
    "Reading: 100 of 1000",
    "Reading: 200 of 1000",
  ]);
  assert.match(stderr, /Reading: 1000 of 1000\n1000 read\.\n$/);
});

test("on a terminal it is a bar, on standard error too", async () => {
  const host = testHost([]);
  host.stderr.isTTY = true;
  const progress = openProgress(testContext(host), "Reading", 3);
  progress.at(3);
  progress.end("3 read.");
  const { stdout, stderr } = await said(host);
  assert.equal(stdout, "");
  assert.match(stderr, /░ {3}0 %  Reading/);
  assert.match(stderr, /\r█+ 100 %  Reading/);
  assert.ok(stderr.endsWith("\r\u001b[K3 read.\n"));
});

test("with --json nothing is said", async () => {
  const host = testHost([]);
  const progress = openProgress(testContext(host, true), "Reading", 1);
  progress.at(1);
  progress.end("1 read.");
  assert.equal((await said(host)).stderr, "");
});
