import { startDevelopment } from "../../dev.ts";
import { explainStartFailure } from "../../run.ts";
import { addHelp } from "../command-help.ts";
import type { Define } from "../define.ts";
import { EXIT } from "../exit-codes.ts";

export const define: Define = (command, context) => {
  addHelp(command, {
    examples: ["npm start", "MARKETHOOK_PORT=9000 markethook dev"],
    exits: {
      0: "stopped in order, by SIGTERM or SIGINT",
      1: "ended by a second signal, or by a fault",
      2: "could not start; the reason is printed",
    },
    notes: () => "Receivers on loopback are allowed; do not use it in production.",
  });
  command.action(async () => {
    try {
      await startDevelopment(context.env);
    } catch (error) {
      context.out.remark(explainStartFailure(error));
      context.exitCode = EXIT.usage;
    }
  });
};
