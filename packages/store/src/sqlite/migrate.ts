import { checkShape } from "../expected-shape.ts";
import { checkSchemaVersion, migrationFailed } from "../schema-version.ts";
import type { Connection } from "./connection.ts";
import { readShape } from "./read-shape.ts";
import { transientFault } from "./transient-fault.ts";
import { MIGRATIONS } from "./migrations/index.ts";

/** Each migration commits together with its number. So a killed one leaves nothing and runs again at the next start. */
export function migrate(
  db: Connection,
  migrations: readonly { name: string; sql: string }[] = MIGRATIONS,
): void {
  const stored = Number(db.get("pragma user_version")?.["user_version"] ?? 0);
  if (stored > 0 && stored !== migrations.length) checkShape(stored, readShape(db));
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
      throw migrationFailed(migration.name, error, transientFault(error));
    }
  }
}
