import assert from "node:assert/strict";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "../testing/test-host.ts";

/** Each of these ended with a stack and the words that the command itself has a fault. */
const IS_ONE_LINE = /^markethook: [^\n]+\n(?:See `markethook .+`\.\n)?$/;

test("an address that is none of a service is refused in one line, as option and as variable", async () => {
  const addresses = [
    "http:market.example",
    "http:\\\\market.example",
    " http://market.example",
    "http://market.example/?a=b",
    "http://market.example#a",
    "http://name@market.example",
  ];
  for (const address of addresses) {
    const env = { MARKETHOOK_API_KEY: "mh_a", MARKETHOOK_API_URL: address };
    for (const option of [[], ["--api", address]]) {
      const { code, stderr } = await run(["keys", "list", ...option], { env });
      assert.equal(code, 2, address);
      assert.match(stderr, IS_ONE_LINE);
      assert.match(stderr, /the service's address, such as/);
    }
  }
});

test("a wait that no timer can have is refused in one line", async () => {
  const to = ["--to", "http://127.0.0.1:1/", "--secret", "abcd"];
  for (const line of [
    ["trigger", "ping", ...to, "--timeout", "30d"],
    ["trigger", "ping", ...to, "--timeout", "365d"],
    ["receive", "--port", "0", "--no-verify", "--count", "1", "--delay", "30d"],
  ]) {
    const { code, stderr } = await run(line);
    assert.equal(code, 2);
    assert.match(stderr, IS_ONE_LINE);
    assert.match(stderr, /at most a day/);
  }
});

test("a file that the system refuses to open is named with the system's reason", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "markethook-odd-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const loop = join(folder, "loop");
  symlinkSync(loop, loop);
  const long = join(folder, "a".repeat(300));
  const env = { MARKETHOOK_API_KEY: "mh_a" };
  for (const [file, reason] of [
    [loop, "too many symbolic links encountered"],
    [long, "name too long"],
  ] as const) {
    for (const line of [
      ["verify", file, "--secret", "abcd"],
      ["trigger", "--recorded", file, "--to", "http://127.0.0.1:1/"],
      ["receive", "--record", file, "--port", "0", "--no-verify"],
      ["import", file],
      ["emit", "--from", file],
    ]) {
      const { code, stderr } = await run(line, { env });
      assert.equal(code, 2);
      assert.match(stderr, IS_ONE_LINE);
      assert.ok(stderr.includes(`${file} cannot be used: ${reason}.`), stderr);
    }
  }
});
