import type { Config } from "../settings/config-schema.ts";

/** Files that the process opens besides the connections to receivers and of clients. */
export const OWN_FILES = 1096;
/** Memory of a connection, TLS included. */
export const CONNECTION_BYTES = 60 * 1024;
/** Enough for all requests that may be open at once. */
export const LEAST_CONNECTIONS = 1000;

const MOST_CONNECTIONS = 10_000;
/** The share of the memory that connections may use. */
const MEMORY_SHARE = 1 / 16;

/** Returns how many connections to receivers may be open: from the setting, otherwise from files and memory. */
export function receiverConnections(
  config: Pick<Config, "receiverConnections" | "clientConnections">,
  limits: { openFiles: number | null; memoryBytes: number },
): number {
  if (config.receiverConnections !== null) return config.receiverConnections;
  const byFiles = (limits.openFiles ?? 0) - OWN_FILES - config.clientConnections;
  const byMemory = Math.floor((limits.memoryBytes * MEMORY_SHARE) / CONNECTION_BYTES);
  return Math.max(LEAST_CONNECTIONS, Math.min(byFiles, byMemory, MOST_CONNECTIONS));
}
