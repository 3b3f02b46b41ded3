import { openPostgres, openSqlite, type SealingProgress, type Store } from "@markethook/store";
import type { Logger } from "pino";
import type { Config } from "./config-schema.ts";

export async function openStore(
  config: Config,
  baseUrl: string,
  masterKeys: readonly Uint8Array[],
  logger: Logger,
): Promise<Store> {
  // A new database has nothing to seal, and nothing to say of it.
  const onSealing = (progress: SealingProgress): void => {
    if (progress.examined > 0)
      logger.info(progress, "sealing the webhooks' URLs that an earlier version stored plain");
  };
  if (config.databaseUrl === null) {
    return await openSqlite({ folder: config.dataDir, baseUrl, masterKeys, onSealing });
  }
  return await openPostgres({
    url: config.databaseUrl,
    ...(config.databaseDirectUrl === null ? {} : { directUrl: config.databaseDirectUrl }),
    baseUrl,
    masterKeys,
    onSealing,
  });
}
