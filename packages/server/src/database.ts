import { resolve } from "node:path";
import { MarkethookError } from "@markethook/protocol";
import {
  comparePostgres,
  type Comparison,
  inspectPostgres,
  inspectSqlite,
  type Inspection,
  type OpenOptions,
  openPostgres,
  openSqlite,
  serverUrls,
  socketFolder,
  type Store,
} from "@markethook/store";
import { HEAP_BYTES, setHeapBytes } from "./process/heap-growth.ts";
import type { Config } from "./settings/config-schema.ts";

export async function openStore(
  config: Config,
  baseUrl: string,
  masterKeys: readonly Uint8Array[],
  /** Called with the sessions that hold a lock for which the start waits. */
  onWait: (holders: string[]) => void,
): Promise<Store> {
  /** The options of both databases. All are required here, so that no setting is forgotten for one. */
  const options: Required<OpenOptions> = { baseUrl, masterKeys };
  if (config.databaseUrl === null) {
    return await openSqlite({ ...options, folder: config.dataDir });
  }
  // Before anything is written through either of them.
  if (config.databaseDirectUrl !== null)
    refuseElsewhere(await comparePostgres(config.databaseUrl, config.databaseDirectUrl));
  setHeapBytes(HEAP_BYTES.postgres);
  return await openPostgres({
    ...options,
    url: config.databaseUrl,
    leaseMs: config.lease,
    onWait,
    ...(config.databaseDirectUrl === null ? {} : { directUrl: config.databaseDirectUrl }),
  });
}

/** Looks at it without opening it: changes nothing, and no lock is taken. Null: there is none yet. */
export async function inspectDatabase({
  databaseUrl,
  dataDir,
}: Pick<Config, "databaseUrl" | "dataDir">): Promise<Inspection | null> {
  return databaseUrl === null ? await inspectSqlite(dataDir) : await inspectPostgres(databaseUrl);
}

export const ELSEWHERE: Record<Exclude<Comparison, "same">, string> = {
  two_databases:
    "MARKETHOOK_DATABASE_URL and MARKETHOOK_DATABASE_DIRECT_URL lead to different databases.",
  two_servers:
    "MARKETHOOK_DATABASE_URL and MARKETHOOK_DATABASE_DIRECT_URL lead to different servers: one is a standby, or a failover is going on.",
};

/** Deliveries would be claimed in one database, under an instance that only the other one knows. */
function refuseElsewhere(comparison: Comparison): void {
  if (comparison === "same") return;
  const lasting = comparison === "two_databases";
  throw new MarkethookError(lasting ? "config_invalid" : "store_unavailable", {
    detail: ELSEWHERE[comparison],
  });
}

/** Where it is, for a log: the whole path of the folder, because another working directory has another one. */
export function placeOf({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): string {
  return databaseUrl === null ? `SQLite in ${resolve(dataDir)}` : databaseName(databaseUrl);
}

/** A database's servers and name, without the user and the password. */
export function databaseName(url: string): string {
  const { urls } = serverUrls(url);
  const servers = urls.map((one) => socketFolder(one) ?? new URL(one).host);
  return `PostgreSQL at ${servers.join(",")}${new URL(urls[0] ?? url).pathname}`;
}
