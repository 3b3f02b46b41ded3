import { randomBytes } from "node:crypto";
import { makeApiKey } from "@markethook/api";
import { Command } from "commander";
import { readConfig } from "./config.ts";
import { settingsHelp } from "./config-docs.ts";
import { createLogging } from "./logger.ts";
import { explainStartFailure, stopOnSignals } from "./run.ts";
import { startService } from "./service.ts";
import { VERSION } from "./version.ts";

const program = new Command("markethook")
  .description("Outbound webhooks for a marketplace of downloadable resources.")
  .version(VERSION)
  .addHelpText("after", "\nSettings are environment variables: see docs/configuration.md.");

program
  .command("serve")
  .description("Run the service. Needs MARKETHOOK_BASE_URL.")
  .addHelpText(
    "after",
    `\nExample:\n  MARKETHOOK_BASE_URL=https://market.example markethook serve\n\nSettings (environment variables):\n${settingsHelp()}`,
  )
  .action(() =>
    orExplain(async () => {
      const config = readConfig(process.env, ["baseUrl"]);
      const logging = createLogging(config.logLevel);
      const service = await startService(config, config.baseUrl ?? "", logging);
      stopOnSignals(() => service.stop(), logging);
      logging.logger.info(
        { address: service.address, store: service.store.kind, version: VERSION },
        "listening",
      );
      if (service.newKey !== null) {
        console.error(`First API key, shown only now: ${service.newKey}`);
      }
    }),
  );

program
  .command("dev")
  .description(
    "Run with a sample resource, a sample receiver and its webhook; receivers on loopback are allowed.",
  )
  .addHelpText("after", "\nExample:\n  npm start")
  .action(() =>
    orExplain(async () => {
      // Only here: a production process needs none of the samples.
      const { startDevelopment } = await import("./dev.ts");
      await startDevelopment(process.env);
    }),
  );

program
  .command("make-key")
  .description("Print a new API key, for MARKETHOOK_API_KEY.")
  .action(() => console.log(makeApiKey(randomBytes)));

await program.parseAsync();

async function orExplain(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(explainStartFailure(error));
    process.exit(2);
  }
}
