import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { confirm } from "./confirm.ts";
import { CommandFailure } from "../program/failure.ts";
import { said, testContext, testHost } from "../testing/test-host.ts";

/** What becomes of the question when a person types this. */
async function typed(keys: string): Promise<"done" | { exitCode: number; shown: string }> {
  const host = testHost([]);
  const input = Object.assign(new PassThrough(), { isTTY: true });
  host.stderr.isTTY = true;
  const context = testContext({ ...host, stdin: () => input });
  const answer = confirm(context, "Delete the webhook?", false);
  input.write(keys);
  if (keys === "") input.end();
  try {
    await answer;
    return "done";
  } catch (error) {
    assert.ok(error instanceof CommandFailure);
    assert.equal(error.message, "Nothing was done.");
    return { exitCode: error.exitCode, shown: (await said(host)).stderr };
  }
}

test("only yes is yes", async () => {
  assert.equal(await typed("y\n"), "done");
  assert.equal(await typed("YES \n"), "done");
  for (const answer of ["\n", "n\n", "no\n", "yesterday\n"]) {
    const refused = await typed(answer);
    assert.ok(refused !== "done");
    assert.equal(refused.exitCode, 1);
    assert.match(refused.shown, /Delete the webhook\? \[y\/N\] /);
  }
});

test("Ctrl-C and the end of the input do nothing, and say so", async () => {
  for (const keys of ["\u0003", ""]) {
    const refused = await typed(keys);
    assert.ok(refused !== "done");
    assert.equal(refused.exitCode, 130);
  }
});

test("where nobody can be asked, --yes must be given", async () => {
  const context = testContext(testHost([]));
  await assert.rejects(confirm(context, "Delete the webhook?", false), /Delete the webhook\?/);
  await confirm(context, "Delete the webhook?", true);
});
