import type { Context } from "./context.ts";
import { CommandFailure, usageFailure } from "./failure.ts";
import { EXIT } from "./exit-codes.ts";

/** Asks a person; where there is none to ask, `--yes` must have been given. @throws unless the answer is yes. */
export async function confirm(context: Context, question: string, yes: boolean): Promise<void> {
  if (yes) return;
  const input = context.stdin();
  if (input.isTTY !== true || context.stderr.isTTY !== true) {
    throw usageFailure(question, "Nobody can be asked here: repeat with --yes to do it.");
  }
  const { confirm: ask, isCancel } = await import("@clack/prompts");
  const answer = await ask({
    message: question,
    initialValue: false,
    input,
    output: context.stderr,
    withGuide: false,
  });
  if (answer === true) return;
  throw new CommandFailure(isCancel(answer) ? EXIT.interrupted : EXIT.no, "Nothing was done.");
}
