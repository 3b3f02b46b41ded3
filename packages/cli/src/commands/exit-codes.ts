import { addHelp } from "../program/command-help.ts";
import type { Define } from "../program/context.ts";
import { EXIT_MEANINGS } from "../program/failure.ts";

export const define: Define = (command, { out }) => {
  addHelp(command, {
    examples: ["markethook help exit-codes", "markethook exit-codes --json"],
    exits: EXIT_MEANINGS,
  });
  command.action(async () => {
    await out.result(EXIT_MEANINGS, () =>
      Object.entries(EXIT_MEANINGS)
        .map(([code, meaning]) => `${code.padEnd(4)}${meaning}`)
        .join("\n"),
    );
  });
};
