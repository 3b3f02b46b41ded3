import { addHelp, type Define, toCommandFailure } from "@markethook/cli";
import { startDevelopment } from "../dev/dev.ts";
import { START_EXITS, startExitCode } from "../process/start-exit-code.ts";

export const define: Define = (command, context) => {
  addHelp(command, {
    examples: ["npm start", "MARKETHOOK_PORT=9000 markethook dev"],
    exits: START_EXITS,
    notes: () => "Receivers on loopback are allowed; do not use it in production.",
  });
  command.action(async () => {
    try {
      await startDevelopment(context.env);
    } catch (error) {
      throw toCommandFailure(error, startExitCode(error));
    }
  });
};
