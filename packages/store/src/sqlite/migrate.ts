import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkShape } from "../expected-shape.ts";
import {
  checkSchemaVersion,
  migrationFailed,
  migrationList,
  type MigrationState,
} from "../schema-version.ts";
import { type Connection, connectWithoutClock, openForLook } from "./connection.ts";
import { readShape, storedVersion } from "./read-shape.ts";
import { transientFault } from "./transient-fault.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { checkEngine } from "./engine.ts";
import { DATABASE_FILE, lockFolder, prepareFolder } from "./folder-lock.ts";

/** Each migration commits together with its number. So a killed one leaves nothing and runs again at the next start. */
export function migrate(
  db: Connection,
  migrations: readonly { name: string; sql: string }[] = MIGRATIONS,
): void {
  const stored = storedVersion(db);
  checkShape(stored, readShape(db));
  checkSchemaVersion(stored, migrations.length);
  for (const [index, migration] of migrations.entries()) {
    if (index < stored) continue;
    // Not `begin` and `commit`: these keep counters, for which there is no table yet.
    db.exec("begin immediate");
    try {
      db.exec(migration.sql);
      db.exec(`pragma user_version = ${index + 1}`);
      db.exec("commit");
    } catch (error) {
      db.rollback();
      throw migrationFailed("SQLite", migration.name, error, transientFault(error));
    }
  }
}

/** Returns the migrations of the database in the folder. Changes nothing, and may run next to a service. */
export async function listSqliteMigrations(folder: string): Promise<MigrationState[]> {
  const path = join(folder, DATABASE_FILE);
  if (!existsSync(path)) return migrationList(MIGRATIONS, 0);
  const db = openForLook(path);
  try {
    return migrationList(MIGRATIONS, storedVersion(db));
  } finally {
    db.close();
  }
}

/** Applies pending migrations, and makes the database if there is none. No service may use the folder. */
export async function upgradeSqlite(folder: string): Promise<void> {
  checkEngine();
  const path = prepareFolder(folder);
  const release = lockFolder(folder);
  try {
    const db = connectWithoutClock(path);
    try {
      migrate(db);
    } finally {
      db.close();
    }
  } finally {
    release();
  }
}
