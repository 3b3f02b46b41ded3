import { addHelp, type Define, toCommandFailure } from "@markethook/cli";
import { readConfig } from "../settings/config.ts";
import { settingsHelp } from "../settings/config-docs.ts";
import { createLogging } from "../log/logger.ts";
import { stopOnSignals } from "../process/stop-on-signals.ts";
import { startService } from "../service.ts";
import { startExitCode } from "../process/start-exit-code.ts";
import { VERSION } from "../version.ts";

export const define: Define = (command, context) => {
  addHelp(command, {
    examples: ["MARKETHOOK_BASE_URL=https://market.example markethook serve"],
    exits: {
      0: "stopped in order, by SIGTERM or SIGINT",
      1: "ended by a second signal or a fault, or could not start for a reason that may pass",
      2: "could not start, and will not before something is changed; the reason is printed",
    },
    notes: () => `Settings (environment variables):\n${settingsHelp()}`,
  });
  command.action(async () => {
    try {
      const config = readConfig(context.env, ["baseUrl"]);
      const logging = createLogging(config.logLevel);
      const service = await startService(config, config.baseUrl ?? "", logging);
      stopOnSignals(() => service.stop(), logging);
      logging.logger.info(
        { address: service.address, store: service.store.kind, version: VERSION },
        "listening",
      );
      if (service.newKey !== null) {
        context.out.remark(`First API key, shown only now: ${service.newKey}`);
      }
    } catch (error) {
      throw toCommandFailure(error, startExitCode(error));
    }
  });
};
