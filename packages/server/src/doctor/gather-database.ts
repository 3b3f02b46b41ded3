import { comparePostgres, inspectPostgres, inspectSqlite, serverUrls } from "@markethook/store";
import type { Config } from "../settings/config-schema.ts";
import { databaseName } from "../database.ts";
import { faultSentence } from "../log/fault-words.ts";
import type { DatabaseFacts } from "./facts.ts";
import { isLocalHost } from "./local-host.ts";

export async function gatherDatabase(config: Config): Promise<DatabaseFacts> {
  if (config.databaseUrl !== null) return await gatherPostgres(config, config.databaseUrl);
  const sqlite = { kind: "sqlite", engine: process.versions["sqlite"] ?? "0" } as const;
  try {
    return { ...sqlite, inspection: await inspectSqlite(config.dataDir), fault: null };
  } catch (error) {
    return { ...sqlite, inspection: null, fault: faultSentence(error) };
  }
}

async function gatherPostgres(config: Config, url: string): Promise<DatabaseFacts> {
  const before = Date.now();
  const main = await inspectPostgres(url).catch(faultSentence);
  const after = Date.now();
  const direct =
    config.databaseDirectUrl === null
      ? null
      : await inspectPostgres(config.databaseDirectUrl).catch(faultSentence);
  const directLeads =
    config.databaseDirectUrl === null || typeof main === "string" || typeof direct === "string"
      ? null
      : await comparePostgres(url, config.databaseDirectUrl).catch(() => null);
  return {
    kind: "postgres",
    name: databaseName(url),
    // Without a host it is a socket of this machine.
    local: serverUrls(url)
      .urls.map((one) => new URL(one).hostname)
      .every((hostname) => hostname === "" || isLocalHost(hostname)),
    inspection: typeof main === "string" ? null : main,
    fault: typeof main === "string" ? main : null,
    direct: typeof direct === "string" ? { fault: direct } : direct,
    directLeads,
    clock: [before, after],
  };
}
