import { Command, CommanderError } from "commander";
import { addHelp } from "./command-help.ts";
import { allCommands, type ListedCommand } from "./command-list.ts";
import type { Context } from "./context.ts";
import type { Host } from "./host.ts";
import {
  CommandFailure,
  EXIT,
  type ExitCode,
  failureText,
  toCommandFailure,
  usageFailure,
} from "./failure.ts";
import { createOutput } from "../output/output.ts";
import { visibleJson, visibleLines } from "../output/visible-text.ts";

/**
 * Runs what the arguments say, a command of a client or of the service. Never throws; resolves with the exit code, for
 * a service as soon as it runs.
 */
export async function runProgram(
  host: Host,
  ofService: readonly ListedCommand[],
): Promise<ExitCode> {
  let program: Command | undefined;
  const json = (): boolean => program?.opts()["json"] === true;
  const context = createContext(host, json);
  try {
    program = await buildProgram(context, ofService, namedIn(host.argv));
    await program.parseAsync(withoutVainHelp(program, host.argv), { from: "user" });
    return context.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return report(context, toCommandFailure(error));
    // Help and version end this way too. As text, what there was to say has been said.
    if (error.exitCode === 0) return EXIT.done;
    return context.out.json ? report(context, misuse(error)) : EXIT.usage;
  }
}

function createContext(host: Host, json: () => boolean): Context {
  return {
    env: host.env,
    version: host.version,
    argv: host.argv,
    stdin: () => host.stdin(),
    // Asked for late, as the host says.
    get stdout() {
      return host.stdout;
    },
    get stderr() {
      return host.stderr;
    },
    interrupt: () => host.interrupt(),
    now: () => host.now(),
    exitCode: EXIT.done,
    out: createOutput(host, json),
  };
}

/**
 * Removes `help` before a command that does not exist, because the error about that command says more than the list of all.
 * `help` before a command and its subcommand becomes `--help`, because commander would describe the first one only.
 */
function withoutVainHelp(program: Command, argv: readonly string[]): readonly string[] {
  const [first, second, third] = argv;
  if (first !== "help" || second === undefined || second.startsWith("-")) return argv;
  const parent = program.commands.find((one) => one.name() === second);
  const isNested = parent?.commands.some((one) => one.name() === third) === true;
  if (third !== undefined && isNested) return [second, third, "--help"];
  const known = second === "help" || parent !== undefined;
  return known ? argv : argv.slice(1);
}

/** The words that may name a command. A word that is an option's value only loads a command for nothing. */
function namedIn(argv: readonly string[]): ReadonlySet<string> | "all" {
  return argv.includes("complete") ? "all" : new Set(argv);
}

/** The program with the named commands whole, and the others by name only. */
export async function buildProgram(
  context: Context,
  ofService: readonly ListedCommand[],
  named: ReadonlySet<string> | "all",
): Promise<Command> {
  const program = new Command("markethook")
    .description("Outbound webhooks for a marketplace of downloadable resources.")
    .version(context.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "tell how to use it")
    .helpCommand("help [command]", "Tell how to use a command.")
    .option("--json", "print JSON instead of text: one document, or a line per item of a stream")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      // With --json all of it is one document, at the end.
      writeErr: (text) => void (context.out.json || context.stderr.write(text)),
      outputError: (text, write) => write(`markethook: ${visibleLines(withoutPrefix(text))}`),
      getOutHelpWidth: () => context.stdout.columns ?? 100,
      getErrHelpWidth: () => context.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride();
  addHelp(program, {
    examples: ["markethook receive --secret …", "markethook help trigger"],
    exits: { 0: null, 1: null, 2: null, 3: null, 4: null, 130: null },
    notes: () =>
      "Settings of the service are environment variables: see `markethook serve --help`.",
  });
  for (const listed of allCommands(ofService)) {
    const command = program
      .command(listed.name)
      .summary(listed.summary)
      .description(listed.summary)
      .helpGroup(`${listed.group}:`)
      .showHelpAfterError(`See \`markethook ${listed.name} --help\`.`);
    if (named === "all" || named.has(listed.name)) (await listed.load()).define(command, context);
  }
  await addCompletion(program, named);
  return program;
}

/** The command that runs: the first argument that names one. */
export function listedCommand(
  argv: readonly string[],
  ofService: readonly ListedCommand[],
): ListedCommand | undefined {
  const all = allCommands(ofService);
  const first = argv.find((word) => all.some(({ name }) => name === word));
  return all.find(({ name }) => name === first);
}

/** Turns an error of commander into a usage failure. */
function misuse({ code, message }: CommanderError): CommandFailure {
  const isUnnamed = code === "commander.help";
  return usageFailure(isUnnamed ? "No command is named." : withoutPrefix(message), "See --help.");
}

function withoutPrefix(text: string): string {
  return text.replace(/^error: /, "");
}

function report({ out, stderr }: Context, failure: CommandFailure): ExitCode {
  const { code, message, advice, exitCode } = failure;
  if (out.json) stderr.write(`${visibleJson({ error: { code, message, advice, exitCode } })}\n`);
  else out.remark(failureText(failure));
  return exitCode;
}

const NAME = "completion";

/**
 * `markethook completion <shell>` prints the script, and the hidden `complete` answers what that script asks. Both
 * come from the library, which must see all other commands first.
 */
async function addCompletion(program: Command, named: ReadonlySet<string> | "all"): Promise<void> {
  const summary = "Print a script that completes commands and options in your shell.";
  if (named !== "all" && !named.has(NAME)) {
    program.command(NAME).summary(summary).description(summary).helpGroup("Help:");
    return;
  }
  const { default: tab } = await import("@bomb.sh/tab/commander");
  tab(program, { completionCommandName: NAME });
  const command = program.commands.find((one) => one.name() === NAME);
  if (command === undefined) throw new Error("the completion library added no command");
  command.summary(summary).description(summary).helpGroup("Help:");
  addHelp(command, {
    examples: [
      "markethook completion bash > ~/.local/share/bash-completion/completions/markethook",
      "source <(markethook completion zsh)",
      "markethook completion fish > ~/.config/fish/completions/markethook.fish",
      "markethook completion powershell >> $PROFILE",
    ],
    exits: { 0: null, 2: null },
  });
}
