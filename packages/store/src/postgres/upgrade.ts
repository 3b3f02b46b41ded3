import { type MigrationState, migrationList } from "../schema-version.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { startError } from "./rights.ts";
import { ServerClient } from "./choose-server.ts";

/** Returns the migrations of the database. Changes nothing, and may run next to services. */
export async function listPostgresMigrations(url: string): Promise<MigrationState[]> {
  const client = new ServerClient({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A connection that breaks fails its query too; an unhandled event would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows: tables } = await client.query("select to_regclass('schema_version') as known");
    if (tables[0]?.["known"] === null) return migrationList(MIGRATIONS, 0);
    const { rows } = await client.query(
      "select coalesce(max(version), 0) as version from schema_version",
    );
    return migrationList(MIGRATIONS, Number(rows[0]?.["version"]));
  } catch (error) {
    throw startError(error);
  } finally {
    await client.end();
  }
}

/** Applies pending migrations; waits for instances that do the same. */
export async function upgradePostgres(url: string): Promise<void> {
  await migrate(url).catch((error: unknown) => {
    throw startError(error);
  });
}
