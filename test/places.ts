import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMigratedDatabase } from "@markethook/store/testing/postgres";
import { size } from "./size.ts";

/** Where a service of a test keeps its data. */
export interface Place {
  env: Record<string, string>;
  drop(): Promise<void>;
}

export async function sqlitePlace(): Promise<Place & { folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), "markethook-test-"));
  return {
    folder,
    env: { MARKETHOOK_DATA_DIR: folder },
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Migrated already, because copying such a database takes half of what a service takes to make one. */
export async function postgresPlace(
  createDatabase = createMigratedDatabase,
): Promise<Place & { url: string }> {
  const { env, drop } = await sqlitePlace();
  const database = await createDatabase();
  return {
    url: database.url,
    env: { ...env, MARKETHOOK_DATABASE_URL: database.url },
    async drop() {
      await drop();
      await database.drop();
    },
  };
}

type NamedPlace = readonly [name: string, place: () => Promise<Place>];

/**
 * The databases for tests of pages whose way through the service goes into the store: SQLite in `npm test`, both in
 * `npm run test:full`. Each statement behind them is tried on both by the store's own tests.
 */
export const PAGE_PLACES: readonly NamedPlace[] = size<readonly NamedPlace[]>(
  [["SQLite", sqlitePlace]],
  [
    ["SQLite", sqlitePlace],
    ["PostgreSQL", postgresPlace],
  ],
);
