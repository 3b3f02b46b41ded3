import { type MigrationState, migrationList } from "../schema-version.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { startError } from "./rights.ts";
import { storedVersion, withClient } from "./direct-client.ts";

/** Returns the migrations of the database. Changes nothing, and may run next to services. */
export async function listPostgresMigrations(url: string): Promise<MigrationState[]> {
  try {
    return migrationList(MIGRATIONS, (await withClient(url, storedVersion)) ?? 0);
  } catch (error) {
    throw startError(error);
  }
}

/** Applies pending migrations; waits for instances that do the same. */
export async function upgradePostgres(url: string): Promise<void> {
  await migrate(url).catch((error: unknown) => {
    throw startError(error);
  });
}
