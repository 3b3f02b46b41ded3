import { openPostgres, openSqlite, serverUrls, type Store } from "@markethook/store";
import { HEAP_BYTES, setHeapBytes } from "./process/heap-growth.ts";
import type { Config } from "./settings/config-schema.ts";

export async function openStore(
  config: Config,
  baseUrl: string,
  masterKeys: readonly Uint8Array[],
): Promise<Store> {
  if (config.databaseUrl === null) {
    return await openSqlite({ folder: config.dataDir, baseUrl, masterKeys });
  }
  setHeapBytes(HEAP_BYTES.postgres);
  return await openPostgres({
    url: config.databaseUrl,
    ...(config.databaseDirectUrl === null ? {} : { directUrl: config.databaseDirectUrl }),
    baseUrl,
    masterKeys,
  });
}

/** A database's servers and name, without the user and the password. */
export function databaseName(url: string): string {
  const servers = serverUrls(url).urls.map((one) => new URL(one));
  return `PostgreSQL at ${servers.map(({ host }) => host).join(",")}${servers[0]?.pathname ?? ""}`;
}
