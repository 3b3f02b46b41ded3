import { existsSync, readFileSync } from "node:fs";
import { totalmem } from "node:os";
import type { Config } from "../settings/config-schema.ts";

const LIMITS_FILE = "/proc/self/limits";

/** Null if it cannot be known. Node raises the soft limit to the hard one, so it holds for every command. */
export function openFileLimit(): number | null {
  if (!existsSync(LIMITS_FILE)) return null;
  const found = /^Max open files\s+(\S+)/m.exec(readFileSync(LIMITS_FILE, "utf8"))?.[1];
  if (found === undefined) return null;
  return found === "unlimited" ? Infinity : Number(found);
}

/** Memory that this process may use, in bytes. */
export function memoryLimit(): number {
  const constrained = process.constrainedMemory();
  // Without a limit it is zero, or more than exists.
  return Math.min(totalmem(), constrained === 0 ? Infinity : constrained);
}

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

const MOST_THREADS = 4;
/** One for the main thread, one for the database. */
const OTHER_THREADS = 2;

/** Returns how many threads send. With two cores the other threads keep both busy, and more would only cost memory. */
export function senderThreads(
  { senderThreads: chosen }: Pick<Config, "senderThreads">,
  cores: number,
): number {
  return chosen ?? Math.min(MOST_THREADS, Math.max(0, cores - OTHER_THREADS));
}
