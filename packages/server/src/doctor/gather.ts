import { existsSync } from "node:fs";
import { masterKeyFile, readKeyFile } from "../keys/master-key.ts";
import type { Config } from "../settings/config-schema.ts";
import { inspectConfig } from "../settings/config.ts";
import type { Facts, KeyFacts } from "./facts.ts";
import { gatherDatabase } from "./gather-database.ts";
import { gatherFiles } from "./gather-files.ts";
import { gatherService } from "./gather-service.ts";
import { gatherSystem } from "./gather-system.ts";

/** Reads everything and changes nothing, with or without a running service. */
export async function gatherFacts(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Facts> {
  const { config, faults } = inspectConfig(env);
  const [database, system, service] = await Promise.all([
    gatherDatabase(config),
    gatherSystem(config),
    gatherService(config),
  ]);
  const files = gatherFiles(config);
  return { config, faults, files, keys: gatherKeys(config), database, system, service };
}

/** Reads the master keys like the service; makes none. */
function gatherKeys(config: Config): KeyFacts {
  if (config.masterKey !== null) return { keys: config.masterKey, fault: null };
  const file = masterKeyFile(config);
  if (!existsSync(file)) {
    return {
      keys: [],
      fault: null,
      ...(config.masterKeyFile === null ? {} : { missingFile: file }),
    };
  }
  try {
    return { keys: readKeyFile(file), fault: null };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { keys: [], fault: `${file} cannot be read as a key: ${why}` };
  }
}
