import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import type { Command } from "commander";
import { buildProgram } from "@markethook/cli";
import { run as runWith, testContext, testHost } from "@markethook/cli/testing";
import { SERVICE_COMMANDS } from "./service-commands.ts";

const run = (argv: readonly string[]) => runWith(argv, {}, SERVICE_COMMANDS);

test("every command tells in --help what it does, its options, an example and its exit codes", async () => {
  const program = await buildProgram(testContext(testHost([])), SERVICE_COMMANDS, "all");
  const commands = every(program).filter((command) => command.name() !== "complete");
  assert.ok(commands.length >= 10, `${commands.length} commands`);
  for (const command of commands) {
    const path = pathOf(command);
    const { code, stdout, stderr } = await run([...path, "--help"]);
    const name = `markethook ${path.join(" ")}`;
    assert.equal(code, 0, `${name}: ${stderr}`);
    assert.match(command.description(), /\.$/, name);
    assert.match(stdout, /\nExamples:\n {2}\S/, name);
    assert.match(stdout, /\nExit codes:\n {2}0 /, name);
    for (const option of command.options) {
      assert.notEqual(option.description, "", `${name} ${option.flags}`);
    }
    for (const argument of command.registeredArguments) {
      assert.notEqual(argument.description, "", `${name} ${argument.name()}`);
    }
  }
});

test("the list of commands names each with a sentence, and nothing of it is loaded for that", async () => {
  const { code, stdout } = await run(["--help"]);
  assert.equal(code, 0);
  const program = await buildProgram(testContext(testHost([])), SERVICE_COMMANDS, new Set());
  for (const command of program.commands) {
    assert.match(stdout, new RegExp(`^ {2}${command.name()} +\\S.*\\.$`, "m"));
  }
});

test("serve loads nothing of the other commands", () => {
  const script = `
    const { registerHooks } = await import("node:module");
    registerHooks({ resolve(name, context, next) { const found = next(name, context); console.log(found.url); return found; } });
    const { buildProgram } = await import("@markethook/cli");
    const { SERVICE_COMMANDS } = await import("./packages/server/src/commands/service-commands.ts");
    await buildProgram({ version: "1", argv: [], env: {}, out: {}, stdout: {}, stderr: {} }, SERVICE_COMMANDS, new Set(["serve"]));`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", script],
    { encoding: "utf8" },
  );
  assert.equal(status, 0, stderr);
  assert.match(stdout, /commands\/serve\.ts/);
  const needless = stdout
    .split("\n")
    .filter((url) => /packages\/client|bomb\.sh|cli\/src\/(receive|trigger|verify)\//.test(url));
  assert.deepEqual(needless, []);
});

test("what is misspelt gets the nearest name and exit code 2", async () => {
  const cases = [
    [["recieve"], /unknown command 'recieve'\n\(Did you mean receive\?\)/],
    [["help", "trigerr"], /Did you mean trigger\?/],
    [
      ["receive", "--prot", "1"],
      /unknown option '--prot'\n\(Did you mean --port\?\)\nSee `markethook receive --help`/,
    ],
    [
      ["receive", "--port", "70000"],
      /argument '70000' is invalid\. Write a whole number from 0 to 65535/,
    ],
    [
      ["trigger", "product.sold", "--to", "http://127.0.0.1/"],
      /Allowed choices are ping, product\.update/,
    ],
    [["trigger", "ping"], /required option '--to <url>' not specified/],
    [["verify", "a", "b"], /too many arguments/],
  ] as const;
  for (const [argv, expected] of cases) {
    const { code, stdout, stderr } = await run(argv);
    assert.equal(code, 2, argv.join(" "));
    assert.equal(stdout, "");
    assert.match(stderr, expected);
    assert.match(stderr, /^markethook: /);
  }
});

test("with --json a failure is JSON on standard error, and the global option may stand anywhere", async () => {
  for (const argv of [
    ["--json", "verify", "/nowhere/body", "--secret", "s"],
    ["verify", "/nowhere/body", "--secret", "s", "--json"],
  ]) {
    const { code, stdout, stderr } = await run(argv);
    assert.equal(code, 2);
    assert.equal(stdout, "");
    assert.deepEqual(JSON.parse(stderr), {
      error: { message: "There is no file /nowhere/body.", advice: "", exitCode: 2 },
    });
  }
});

test("with --json a command line that cannot be used is told in JSON too", async () => {
  const cases: [string[], RegExp][] = [
    [["keys", "nosuch", "--json"], /^unknown command 'nosuch'/],
    [["--json", "emit", "castle", "product.user.purchase", "--user", "x"], /^option '--user <id>'/],
    [["--json", "trigger", "ping"], /^required option '--to <url>'/],
    [["--json", "keys"], /^No command is named\.$/],
  ];
  for (const [argv, expected] of cases) {
    const { code, stdout, stderr } = await run(argv);
    const { error } = JSON.parse(stderr);
    assert.deepEqual([code, stdout, error.exitCode], [2, "", 2], argv.join(" "));
    assert.match(error.message, expected);
  }
  const { code, stdout, stderr } = await run(["keys", "--help", "--json"]);
  assert.deepEqual([code, stderr, stdout.startsWith("Usage: ")], [0, "", true]);
});

test("with --json a service that does not start says so in JSON too", async () => {
  const { code, stderr } = await run(["serve", "--json"]);
  const { error } = JSON.parse(stderr);
  assert.deepEqual([code, error.code, error.exitCode], [2, "config_invalid", 2]);
  assert.match(error.message, /MARKETHOOK_BASE_URL/);
});

test("completion prints a script for each shell, and completes commands, options and choices", async (t) => {
  const lines: string[] = [];
  t.mock.method(console, "log", (line: string) => lines.push(line));
  for (const shell of ["bash", "zsh", "fish", "powershell"]) {
    assert.equal((await run(["completion", shell])).code, 0);
    assert.match(lines.splice(0).join("\n"), /markethook/);
  }
  assert.equal((await run(["completion", "tcsh"])).code, 2);
  assert.equal((await run(["complete", "--", "tri"])).code, 0);
  assert.match(lines.splice(0).join("\n"), /^trigger\t/m);
});

function every(command: Command): Command[] {
  return [command, ...command.commands.flatMap(every)];
}

function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}
