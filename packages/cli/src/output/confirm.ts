import { createInterface } from "node:readline";
import type { Context } from "../program/context.ts";
import { CommandFailure, EXIT, usageFailure } from "../program/failure.ts";

/** Asks a person; where there is none to ask, `--yes` must have been given. @throws unless the answer is yes. */
export async function confirm(context: Context, question: string, yes: boolean): Promise<void> {
  if (yes) return;
  const input = context.stdin();
  if (input.isTTY !== true || context.stderr.isTTY !== true) {
    throw usageFailure(question, "Nobody can be asked here: repeat with --yes to do it.");
  }
  const answer = await ask(input, context.stderr, `${question} [y/N] `);
  if (answer !== null && /^y(es)?$/i.test(answer.trim())) return;
  throw new CommandFailure(answer === null ? EXIT.interrupted : EXIT.no, "Nothing was done.");
}

/** Null: Ctrl-C, or the input ended without an answer. */
async function ask(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  question: string,
): Promise<string | null> {
  const lines = createInterface({ input, output, terminal: true });
  const { promise, resolve } = Promise.withResolvers<string | null>();
  lines.once("close", () => resolve(null));
  lines.once("SIGINT", () => lines.close());
  lines.question(question, resolve);
  const answer = await promise;
  lines.close();
  if (answer === null) output.write("\n");
  return answer;
}
