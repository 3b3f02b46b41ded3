import { MarkethookError } from "@markethook/protocol";

/** @throws `schema_newer` when the database was written by a version that knows more migrations than this one. */
export function checkSchemaVersion(stored: number, known: number): void {
  if (stored > known) {
    throw new MarkethookError("schema_newer", {
      detail: `The database has schema ${stored}; this version knows schemas up to ${known}.`,
    });
  }
}

export function migrationFailed(name: string, cause: unknown): MarkethookError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new MarkethookError("migration_failed", {
    detail: `Migration ${name} failed and was undone: ${why}.`,
    cause,
  });
}
