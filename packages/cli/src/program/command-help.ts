import type { Command } from "commander";
import { EXIT_MEANINGS, type ExitCode } from "./failure.ts";

export interface CommandHelp {
  /** Command lines as one would type them, without the prompt. At least one. */
  examples: readonly [string, ...string[]];
  /** The exit codes it can end with; null stands for the general meaning. */
  exits: Partial<Record<ExitCode, string | null>>;
  /** More to know, between options and examples. */
  notes?: () => string;
}

/** Gives a command's `--help` its examples and exit codes, in the same form everywhere. */
export function addHelp(command: Command, { examples, exits, notes }: CommandHelp): Command {
  if (command.parent !== null) command.showHelpAfterError(`See \`${pathOf(command)} --help\`.`);
  return command.addHelpText("after", () => {
    const codes = Object.entries(exits).map(
      // The keys are exit codes, which Object.entries turns into text.
      ([code, meaning]) =>
        `  ${code.padEnd(4)}${meaning ?? EXIT_MEANINGS[Number(code) as ExitCode]}`,
    );
    return [
      ...(notes === undefined ? [] : ["", notes()]),
      "",
      "Examples:",
      ...examples.map((example) => `  ${example}`),
      "",
      "Exit codes:",
      ...codes,
    ].join("\n");
  });
}

function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}
