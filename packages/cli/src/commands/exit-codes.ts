import { addHelp } from "../command-help.ts";
import type { Define } from "../context.ts";
import { EXIT_MEANINGS } from "../exit-codes.ts";

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
