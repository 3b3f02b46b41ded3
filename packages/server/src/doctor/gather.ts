import { inspectConfig } from "../settings/config.ts";
import type { Facts } from "./facts.ts";
import { gatherDatabase } from "./gather-database.ts";
import { gatherFiles } from "./gather-files.ts";
import { gatherKeys } from "./gather-keys.ts";
import { gatherService } from "./gather-service.ts";
import { gatherSystem } from "./gather-system.ts";

/** Looks at everything and changes nothing, whether a service runs or not. */
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
