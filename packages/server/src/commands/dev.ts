import { addHelp, type Define, toCommandFailure } from "@markethook/cli";
import { startDevelopment } from "../dev/dev.ts";
import { startExitCode } from "../process/start-exit-code.ts";

export const define: Define = (command, context) => {
  addHelp(command, {
    examples: ["npm start", "MARKETHOOK_PORT=9000 markethook dev"],
    exits: {
      0: "stopped in order, by SIGTERM or SIGINT",
      1: "ended by a second signal or a fault, or could not start for a reason that may pass",
      2: "could not start, and will not before something is changed; the reason is printed",
    },
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
