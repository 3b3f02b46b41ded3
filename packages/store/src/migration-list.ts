import { checkSchemaVersion } from "./schema-version.ts";

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
