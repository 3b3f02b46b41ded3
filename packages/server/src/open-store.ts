import { openPostgres, openSqlite, type Store } from "@markethook/store";
import type { Config } from "./config-schema.ts";

export async function openStore(
  config: Config,
  baseUrl: string,
  masterKeys: readonly Uint8Array[],
): Promise<Store> {
  if (config.databaseUrl === null) {
    return await openSqlite({ folder: config.dataDir, baseUrl, masterKeys });
  }
  return await openPostgres({
    url: config.databaseUrl,
    ...(config.databaseDirectUrl === null ? {} : { directUrl: config.databaseDirectUrl }),
    baseUrl,
    masterKeys,
  });
}
