import { isPooled, type Store } from "@markethook/store";
import type { Logger } from "pino";
import type { Config } from "../settings/config-schema.ts";
import { differingSettings, type SharedSettings } from "../settings/shared-settings.ts";

const LAST_START = "is another one than at the last start of an instance:";
const DIFFERS: Readonly<Record<keyof SharedSettings, string>> = {
  MARKETHOOK_SERVICE_NAME: `the service's name ${LAST_START} receivers verify headers of that name, so set it back, and give all instances the same`,
  MARKETHOOK_BASE_URL: `the base URL ${LAST_START} new events have it, and stored ones keep the one before; give all instances the same, and set it back if you did not mean to change it`,
  MARKETHOOK_LEASE: `the lease ${LAST_START} while instances with different leases run, deliveries are sent twice, so stop all of them and give all the same`,
};

/**
 * Receivers look for headers of the service's name, and buyers open the base URL. An instance with a shorter lease takes one
 * with a longer lease for dead, because that one renews its row less often. An instance that has others than the last one
 * that started was set up otherwise, or all others were.
 */
export async function warnOfOtherSettings(
  store: Pick<Store, "maintenance">,
  settings: SharedSettings,
  logger: Pick<Logger, "warn">,
): Promise<void> {
  const stored = await store.maintenance.noteSettings(JSON.stringify(settings));
  if (stored === null) return;
  const facts = { before: JSON.parse(stored) as unknown, now: settings };
  for (const { name } of differingSettings(stored, settings)) logger.warn(facts, DIFFERS[name]);
}

/**
 * In session mode a pooler is harmless. In transaction mode heartbeats fail now and then, and an instance stops sending
 * each time; hints from others never come.
 */
export async function warnOfPooler(
  { databaseUrl, databaseDirectUrl }: Pick<Config, "databaseUrl" | "databaseDirectUrl">,
  logger: Pick<Logger, "warn">,
): Promise<void> {
  const url = databaseDirectUrl ?? databaseUrl;
  if (url === null || !(await isPooled(url))) return;
  logger.warn(
    "a pooler such as pgbouncer stands before the database: set MARKETHOOK_DATABASE_DIRECT_URL to the server itself, because heartbeats and notifications do not pass a pooler in transaction mode",
  );
}
