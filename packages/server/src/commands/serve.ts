import { addHelp, type Define, toCommandFailure } from "@markethook/cli";
import { readConfig } from "../settings/config.ts";
import { SETTINGS } from "../settings/config-schema.ts";
import { createLogging } from "../log/logger.ts";
import { stopOnSignals } from "../process/stop-on-signals.ts";
import { startService } from "../service.ts";
import { START_EXITS, startExitCode } from "../process/start-exit-code.ts";
import { placeOf } from "../database.ts";
import { VERSION } from "../version.ts";

/** Otherwise nothing would tell a start on the wrong folder or database from one on the right one. */
const NEW_DATABASE =
  "this database is new: if it should have data, stop, and look at MARKETHOOK_DATABASE_URL and MARKETHOOK_DATA_DIR";

export const define: Define = (command, context) => {
  addHelp(command, {
    examples: ["MARKETHOOK_BASE_URL=https://market.example markethook serve"],
    exits: START_EXITS,
    notes: () => `Settings (environment variables):\n${settingsHelp()}`,
  });
  command.action(async () => {
    try {
      const config = readConfig(context.env, ["baseUrl"]);
      const logging = createLogging(config.logLevel);
      const service = await startService(config, config.baseUrl ?? "", logging);
      stopOnSignals(() => service.stop(), logging, config);
      const [store, database] = [service.store.kind, placeOf(config)];
      if (service.isNew) logging.logger.warn({ database }, NEW_DATABASE);
      logging.logger.info(
        { address: service.address, store, database, version: VERSION },
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

export function settingsHelp(): string {
  return Object.values(SETTINGS)
    .map(({ name, fallback, sentence }) => {
      const given = fallback === null || fallback === "" ? "" : ` [${fallback}]`;
      return `  ${name}\n      ${withoutLinks(sentence)}${given}`;
    })
    .join("\n");
}

/** A terminal shows a link's text only; its address leads from the page. */
function withoutLinks(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}
