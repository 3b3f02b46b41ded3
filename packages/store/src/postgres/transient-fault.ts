import { DatabaseError } from "pg";

const DISK_FULL = "53100";
/** Broken connections, too few resources, a server that is shut down or no longer takes writes, conflicts, locks. */
const TRANSIENT = /^(?:08|53|57|40|25006|55P03)/;

/** Returns the code of a fault that passes with time and is not caused by the statement; null for any other. */
export function transientFault(error: unknown): "storage_full" | "store_unavailable" | null {
  // An error that is not the server's own answer happened on the way to it.
  if (!(error instanceof DatabaseError) || error.code === undefined) return "store_unavailable";
  if (error.code === DISK_FULL) return "storage_full";
  return TRANSIENT.test(error.code) ? "store_unavailable" : null;
}
