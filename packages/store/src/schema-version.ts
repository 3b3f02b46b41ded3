import { MarkethookError } from "@markethook/protocol";

/** @throws `schema_newer` if the database was written by a version with more migrations than this one. */
export function checkSchemaVersion(stored: number, known: number): void {
  if (stored > known) {
    throw new MarkethookError("schema_newer", {
      detail: `The database has schema ${stored}; this version knows schemas up to ${known}.`,
    });
  }
}

/** `passing`: the migration itself is sound, and the same start may succeed later. */
export function migrationFailed(
  engine: "SQLite" | "PostgreSQL",
  name: string,
  cause: unknown,
  passing: "storage_full" | "store_unavailable" | null,
): MarkethookError {
  const why = cause instanceof Error ? cause.message : String(cause);
  if (passing !== null) {
    const detail = `${engine}: migration ${name} was undone: ${why}.`;
    return new MarkethookError(passing, { detail, cause });
  }
  return new MarkethookError("migration_failed", {
    detail: `Migration ${name} failed and was undone: ${why}.`,
    cause,
  });
}

/** One numbered migration, and whether a database has it. */
export interface MigrationState {
  name: string;
  applied: boolean;
}

/** @throws `schema_newer` when the database has more of them than this version knows. */
export function migrationList(
  migrations: readonly { name: string }[],
  stored: number,
): MigrationState[] {
  checkSchemaVersion(stored, migrations.length);
  return migrations.map(({ name }, index) => ({ name, applied: index < stored }));
}
