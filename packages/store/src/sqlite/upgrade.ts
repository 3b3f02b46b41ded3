import { existsSync } from "node:fs";
import { join } from "node:path";
import { type MigrationState, migrationList } from "../schema-version.ts";
import { Connection } from "./connection.ts";
import { checkEngine } from "./engine.ts";
import { DATABASE_FILE, lockFolder, prepareFolder } from "./folder-lock.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";

/** Returns the migrations of the database in the folder. Changes nothing, and may run next to a service. */
export async function listSqliteMigrations(folder: string): Promise<MigrationState[]> {
  const path = join(folder, DATABASE_FILE);
  if (!existsSync(path)) return migrationList(MIGRATIONS, 0);
  const db = connect(path, true);
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
    const db = connect(path, false);
    try {
      migrate(db);
    } finally {
      db.close();
    }
  } finally {
    release();
  }
}

/** Migrations do not use the time. */
function connect(path: string, readOnly: boolean): Connection {
  return new Connection(
    path,
    () => 0,
    () => 0,
    readOnly ? { clockBase: 0 } : null,
  );
}
