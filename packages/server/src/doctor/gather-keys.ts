import { existsSync } from "node:fs";
import type { Config } from "../settings/config-schema.ts";
import { masterKeyFile, readKeyFile } from "../keys/master-key.ts";
import type { KeyFacts } from "./facts.ts";

/** The master keys as the service would read them; none is made. */
export function gatherKeys(config: Config): KeyFacts {
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
