import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkShape } from "../expected-shape.ts";
import {
  checkSchemaVersion,
  migrationFailed,
  migrationList,
  type MigrationState,
} from "../schema-version.ts";
import { Connection, openForLook } from "./connection.ts";
import { readShape } from "./read-shape.ts";
import { transientFault } from "./transient-fault.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { checkEngine } from "./engine.ts";
import { DATABASE_FILE, lockFolder, prepareFolder } from "./folder-lock.ts";

/** Each migration commits together with its number. So a killed one leaves nothing and runs again at the next start. */
export function migrate(
  db: Connection,
  migrations: readonly { name: string; sql: string }[] = MIGRATIONS,
): void {
  const stored = Number(db.get("pragma user_version")?.["user_version"] ?? 0);
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
    return migrationList(MIGRATIONS, Number(db.get("pragma user_version")?.["user_version"] ?? 0));
  } finally {
    db.close();
  }
}

/** Applies pending migrations, and makes the database if there is none. No service may use the folder. */
export async function upgradeSqlite(folder: string): Promise<void> {
  checkEngine(process.versions["sqlite"] ?? "0");
  const path = prepareFolder(folder);
  const release = lockFolder(folder);
  try {
    // Migrations do not use the time.
    const db = new Connection(
      path,
      () => 0,
      () => 0,
    );
    try {
      migrate(db);
    } finally {
      db.close();
    }
  } finally {
    release();
  }
}
