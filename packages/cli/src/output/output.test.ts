import assert from "node:assert/strict";
import { test } from "node:test";
import { wantsColour } from "./output.ts";
import { said, testContext, testHost } from "../testing/test-host.ts";

test("colour is for terminals, unless NO_COLOR or FORCE_COLOR says otherwise", () => {
  const host = (isTTY: boolean) => Object.assign(testHost([]).stdout, { isTTY });
  const cases = [
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ TERM: "dumb" }, true, false],
  ] as const;
  for (const [env, isTTY, expected] of cases) {
    assert.equal(wantsColour(env, host(isTTY)), expected, JSON.stringify({ env, isTTY }));
  }
});

test("results go to standard output, remarks to standard error", async () => {
  const host = testHost([], { env: { FORCE_COLOR: "1" } });
  const { out } = testContext(host);
  await out.result({ a: 1 }, () => out.style("red", "text"));
  out.item({ a: 1 }, () => "line\n");
  out.remark("by the way");
  assert.deepEqual(await said(host), {
    stdout: "\u001b[31mtext\u001b[39m\nline\n",
    stderr: "by the way\n",
  });
});

test("with --json a result is one document and a stream is lines, free of terminal commands", async () => {
  const host = testHost([]);
  const { out } = testContext(host, true);
  out.item({ text: "\u001b]0;title\u0007" }, () => "");
  out.item([1], () => "");
  await out.result({ b: 2 }, () => "");
  const { stdout } = await said(host);
  assert.equal(stdout, '{"text":"\\u001b]0;title\\u0007"}\n[1]\n{\n  "b": 2\n}\n');
});
