import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";

/** Far above the size at which it is merged into the database. */
const LARGEST_WAL = 512 * 1024 ** 2;
/** More than the file of 32 KiB, with some for other programs. */
const ROOM_TO_READ = 1024 ** 2;

/** Checks the embedded database: its engine, and its log. */
export function* checkSqlite({ database, files }: Facts): Iterable<Finding> {
  if (database.kind !== "sqlite") return;
  if (isOlder(database.engine, "3.51.3")) {
    yield finding("engine_too_old", `This Node.js brings SQLite ${database.engine}.`);
  }
  // SQLite makes a file even to read. Without room it cannot, although the database is whole.
  const full = files.freeBytes !== null && files.freeBytes < ROOM_TO_READ;
  if (database.fault !== null && !full) {
    yield finding("database_unreadable", `The database cannot be read: ${database.fault}.`);
  }
  const wal = files.database.find(({ path }) => path.endsWith("-wal"));
  if (wal !== undefined && wal.bytes > LARGEST_WAL) {
    yield finding("wal_large", `${wal.path} has ${Math.floor(wal.bytes / 1024 ** 2)} MiB.`);
  }
}

function isOlder(version: string, least: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, wanted] of least.split(".").map(Number).entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}
