import assert from "node:assert/strict";
import { test } from "node:test";
import { type Ended, startCommand } from "./command-process.ts";

/** As the built command says it. */
async function say(...args: readonly string[]): Promise<Ended> {
  return await startCommand(args).ended;
}

test("help and version go to standard output with 0, wrong usage to standard error with 2", async () => {
  const [help, version, nothing, unknown, codes] = await Promise.all([
    say("--help"),
    say("--version"),
    say(),
    say("recieve"),
    say("help", "exit-codes"),
  ]);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /^Usage: markethook/);
  assert.deepEqual([version.code, version.stdout], [0, "0.1.0\n"]);
  assert.deepEqual([nothing.code, nothing.stdout], [2, ""]);
  assert.match(nothing.stderr, /^Usage: markethook/);
  assert.deepEqual([unknown.code, unknown.stdout], [2, ""]);
  assert.match(
    unknown.stderr,
    /^markethook: unknown command 'recieve'\n\(Did you mean receive\?\)\n$/,
  );
  assert.match(codes.stdout, /\n {2}130 interrupted by Ctrl-C; 143 by SIGTERM\n/);
});

test("help tells of a command of a command too", async () => {
  const [nested, parent, unknown] = await Promise.all([
    say("help", "webhooks", "rotate"),
    say("help", "webhooks"),
    say("help", "webhooks", "rotatte"),
  ]);
  assert.deepEqual([nested.code, parent.code, unknown.code], [0, 0, 0]);
  assert.match(nested.stdout, /^Usage: markethook webhooks rotate /);
  assert.match(parent.stdout, /^Usage: markethook webhooks \[options\]/);
  assert.equal(unknown.stdout, parent.stdout);
});

test("all commands are there, also those that no test starts as a process: completion loads each", async () => {
  const { code, stdout } = await say("complete", "--", "tri");
  assert.equal(code, 0);
  assert.match(stdout, /^trigger\t/m);
});

test("a command whose output is cut off, as by head, ends quietly with 0", async () => {
  const many = "trigger ping --to http://127.0.0.1:1/ --secret s --dry-run --count 1000";
  const command = startCommand(many.split(" "));
  await command.printed(/^curl/);
  command.closeOutput();
  const cut = await command.ended;
  assert.deepEqual([cut.code, cut.stderr], [0, ""]);
  const help = startCommand(["serve", "--help"]);
  help.closeOutput();
  const { code, stderr } = await help.ended;
  assert.deepEqual([code, stderr], [0, ""]);
});
