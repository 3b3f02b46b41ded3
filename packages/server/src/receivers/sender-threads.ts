import type { Config } from "../settings/config-schema.ts";

const MOST = 4;
/** One for the main thread, one for the database. */
const OTHERS = 2;

/** How many threads send. With two cores the others have work for both, and threads would only cost memory. */
export function senderThreads(
  { senderThreads: chosen }: Pick<Config, "senderThreads">,
  cores: number,
): number {
  return chosen ?? Math.min(MOST, Math.max(0, cores - OTHERS));
}
