import { isPooled } from "@markethook/store";
import type { Config } from "../settings/config-schema.ts";
import type { Logging } from "./logger.ts";

/**
 * In session mode a pooler is harmless. In transaction mode heartbeats fail now and then, and an instance stops sending
 * each time; hints from others never come.
 */
export async function warnOfPooler(
  { databaseUrl, databaseDirectUrl }: Pick<Config, "databaseUrl" | "databaseDirectUrl">,
  logger: Pick<Logging["logger"], "warn">,
): Promise<void> {
  const url = databaseDirectUrl ?? databaseUrl;
  if (url === null || !(await isPooled(url))) return;
  logger.warn(
    "a pooler such as pgbouncer stands before the database: set MARKETHOOK_DATABASE_DIRECT_URL to the server itself, because heartbeats and notifications do not pass a pooler in transaction mode",
  );
}
