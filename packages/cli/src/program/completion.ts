import type { Command } from "commander";
import { addHelp } from "./command-help.ts";

const NAME = "completion";

/**
 * `markethook completion <shell>` prints the script, and the hidden `complete` answers what that script asks. Both
 * come from the library, which must see all other commands first.
 */
export async function addCompletion(
  program: Command,
  named: ReadonlySet<string> | "all",
): Promise<void> {
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
