import { lacking } from "@markethook/store";
import { CLOCK_TOLERANCE_MS, clockDifference } from "../health/clock-difference.ts";
import { differingSettings, sharedSettings } from "../settings/shared-settings.ts";
import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";

/** A heartbeat comes every two seconds; a row that has missed this many was not swept yet. */
const ALIVE_MS = 60_000;

/** Checks that the database, its instances, these settings and this version fit together. */
export function* checkSchema({ config, database, system, files }: Facts): Iterable<Finding> {
  const { inspection } = database;
  if (database.kind === "postgres" && files.database.length > 0) {
    const [file] = files.database;
    yield finding("two_databases", `PostgreSQL is set, and ${file?.path ?? ""} is there too.`);
  }
  if (inspection === null) return;
  const { applied, known, missing } = inspection;
  if (applied > known) {
    yield finding(
      "schema_newer",
      `The database has schema ${applied}; this version knows up to ${known}.`,
    );
  } else if (missing.length > 0) {
    yield finding("schema_unknown", `The database has schema ${applied}, but ${lacking(missing)}.`);
  } else if (applied > 0 && applied < known) {
    yield finding(
      "schema_behind",
      `${known - applied === 1 ? "1 migration is" : `${known - applied} migrations are`} pending.`,
    );
  }
  const now = database.kind === "postgres" ? (database.inspection?.now ?? 0) : system.wallNow;
  const versions = new Set(
    inspection.instances
      .filter(({ renewedAt }) => now - renewedAt < ALIVE_MS)
      .map(({ version }) => version),
  );
  if (versions.size > 1) {
    yield finding(
      "versions_mixed",
      `Instances of ${[...versions].join(" and ")} share the database.`,
    );
  }
  const here = sharedSettings(config, config.baseUrl, database.kind === "sqlite");
  for (const { name, before, now: set } of differingSettings(inspection.settings, here)) {
    yield finding(
      "settings_differ",
      `${name} is ${set} here, and was ${before} at the last start of an instance.`,
    );
  }
}

/** Compares this machine's clock with the database's; with SQLite, with the latest stored time. */
export function* checkClock(facts: Facts): Iterable<Finding> {
  const { database, system } = facts;
  if (database.inspection === null) return;
  if (database.kind === "sqlite") {
    const aheadMs = database.inspection.latestAt - system.wallNow;
    const seconds = Math.round(Math.abs(aheadMs) / 1000);
    if (aheadMs > CLOCK_TOLERANCE_MS) {
      yield finding(
        "clock_was_ahead",
        `The database's clock is ${seconds} s ahead of this machine's.`,
      );
    } else if (isRunning(facts) && -aheadMs > facts.config.lease + CLOCK_TOLERANCE_MS) {
      yield finding("clock_behind", `The service's clock is ${seconds} s behind this machine's.`);
    }
    return;
  }
  const off = clockDifference(database.inspection.now, database.clock);
  if (off !== null) yield finding("clock_off", `This machine's clock is ${off}.`);
}

/** A service that runs writes its heartbeat, with its time, several times per lease. */
function isRunning({ database, service }: Facts): boolean {
  const isReady = typeof service.found === "object" && service.found.ready;
  return isReady && (database.inspection?.instances.length ?? 0) > 0;
}

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
  // SQLite makes a file even to read. Without room, or a right, it cannot, although the database is whole.
  const full = files.freeBytes !== null && files.freeBytes < ROOM_TO_READ;
  // Nothing of a file that is closed to this user is known.
  const open = files.writable && files.closed.length === 0;
  if (database.fault !== null && !full && open) {
    yield finding("database_unreadable", `The database cannot be read: ${database.fault}.`);
  }
  const noNumbers = database.inspection?.noNumbers ?? [];
  if (noNumbers.length > 0)
    yield finding(
      "rows_damaged",
      `There is something else than a number in ${noNumbers.join(", ")}.`,
    );
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
