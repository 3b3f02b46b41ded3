import { lacking } from "@markethook/store";
import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";

/** A heartbeat comes every two seconds; a row that has missed this many was not swept yet. */
const ALIVE_MS = 60_000;

/** Checks that the database, its instances and this version fit together. */
export function* checkSchema({ database, system, files }: Facts): Iterable<Finding> {
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
    yield finding("schema_behind", `${known - applied} migrations are pending.`);
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
}
