import type { Config } from "../settings/config-schema.ts";

const MOST = 4;
/** One for the main thread, one for the database. */
const OTHERS = 2;

/** Returns how many threads send. With two cores the other threads keep both busy, and more would only cost memory. */
export function senderThreads(
  { senderThreads: chosen }: Pick<Config, "senderThreads">,
  cores: number,
): number {
  return chosen ?? Math.min(MOST, Math.max(0, cores - OTHERS));
}
