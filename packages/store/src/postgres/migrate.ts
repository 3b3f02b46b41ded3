import { setTimeout } from "node:timers/promises";
import type { Client } from "pg";
import { MarkethookError } from "@markethook/protocol";
import { BEGIN_BRIEF } from "./session-settings.ts";
import { readShape } from "./read-shape.ts";
import { transientFault } from "./transient-fault.ts";
import { checkShape } from "../expected-shape.ts";
import {
  checkSchemaVersion,
  migrationFailed,
  migrationList,
  type MigrationState,
} from "../schema-version.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { schemaElsewhere, storedVersion, withClient } from "./direct-client.ts";
import { startError } from "./rights.ts";
import { tellWaits } from "./tell-waits.ts";

/** Migrations take it alone, and instances that begin share it. */
export const MIGRATION_LOCK = 7_411_002;
const OLDEST_SERVER = 140_000;
/** SQL_ASCII stores bytes as they come. */
const HOLD_ALL_TEXTS = new Set(["UTF8", "SQL_ASCII"]);
/** As `wiring/settings.ts` in the dispatcher has it. */
const LEASE_MS = 8000;
const ASK_AGAIN_MS = 250;

/** The index of a large table takes minutes, whatever a role or a database has as its default. */
const NO_TIME_LIMIT = "set local statement_timeout = 0";

/**
 * Each migration commits together with its number. So a killed one leaves nothing and runs again at the next start.
 * Instances that start at the same time wait for one another, and not for one whose process stands still. While older
 * instances run, nothing is changed below them.
 * @throws `older_instances_running`
 */
export async function migrate(
  url: string,
  migrations: readonly { name: string; sql: string }[] = MIGRATIONS,
  /** An instance that has not renewed its row for so long is not running. */
  leaseMs = LEASE_MS,
  /** Older instances that are stopping, or were killed lately, get this long. */
  patienceMs = leaseMs + 1000,
  /** Called with the sessions that hold a lock for which it waits. */
  onWait: (holders: string[]) => void = () => undefined,
): Promise<void> {
  await withClient(url, async (client) => {
    await checkServer(client);
    const stopTelling = await tellWaits(url, client, onWait);
    await applyAll(client, migrations, leaseMs, patienceMs).finally(stopTelling);
  });
}

async function applyAll(
  client: Client,
  migrations: readonly { name: string; sql: string }[],
  leaseMs: number,
  patienceMs: number,
): Promise<void> {
  let checked = false;
  const until = performance.now() + patienceMs;
  for (;;) {
    await client.query(BEGIN_BRIEF);
    await client.query(NO_TIME_LIMIT);
    await client.query("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    const stored = await schemaVersion(client);
    if (!checked) checkShape(stored, await readShape(client));
    checked = true;
    checkSchemaVersion(stored, migrations.length);
    const migration = migrations[stored];
    if (migration === undefined) {
      await client.query("commit");
      return;
    }
    // Any that run are of an older version, because those that start or begin now wait for the lock.
    const isLate = performance.now() > until;
    const older = stored === 0 ? [] : await runningInstances(client, leaseMs, isLate);
    if (older.length > 0) {
      await client.query("rollback");
      if (isLate) {
        throw new MarkethookError("older_instances_running", {
          detail: `These know schemas up to ${stored}, and this version needs ${migrations.length}: ${older.join(", ")}.`,
        });
      }
      await setTimeout(ASK_AGAIN_MS);
      continue;
    }
    try {
      await client.query(migration.sql);
      await client.query("insert into schema_version (version, name) values ($1, $2)", [
        stored + 1,
        migration.name,
      ]);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback").catch(() => undefined);
      throw migrationFailed("PostgreSQL", migration.name, error, transientFault(error));
    }
  }
}

/**
 * Names and versions. One of the future was renewed before the clock was set back. It may run at first; `isLate`: it would
 * have been renewed since.
 */
async function runningInstances(
  client: Client,
  leaseMs: number,
  isLate: boolean,
): Promise<string[]> {
  const { rows } = await client.query(
    `select name, version from instances
     where renewed_at > mh_now() - $1::bigint and (not $2 or renewed_at < mh_now() + $1::bigint) order by name`,
    [leaseMs, isLate],
  );
  return rows.map((row) => `${String(row["name"])} (${String(row["version"])})`);
}

/**
 * Number of applied migrations. Makes their table where there is none, but never beside another service's: the user's
 * search path has changed.
 */
async function schemaVersion(client: Client): Promise<number> {
  const stored = await storedVersion(client);
  if (stored !== null) return stored;
  const elsewhere = await schemaElsewhere(client);
  if (elsewhere !== null) {
    throw new MarkethookError("tables_elsewhere", {
      detail: `The service's tables are in the schema ${elsewhere}, which is not on the search path.`,
    });
  }
  // Even with `if not exists` it needs the right to make tables, which a service on a migrated database can do without.
  await client.query(
    "create table schema_version (version integer primary key, name text not null, applied_at timestamptz not null default now())",
  );
  return 0;
}

async function checkServer(client: Client): Promise<void> {
  const { rows } = await client.query(
    "select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding, current_setting('transaction_read_only') = 'on' as read_only",
  );
  if (Number(rows[0]?.["version"]) < OLDEST_SERVER) throw new MarkethookError("engine_too_old");
  if (rows[0]?.["read_only"] === true) throw new MarkethookError("database_read_only");
  const encoding = String(rows[0]?.["encoding"]);
  if (!HOLD_ALL_TEXTS.has(encoding)) {
    throw new MarkethookError("database_encoding_wrong", {
      detail: `The database's encoding is ${encoding}.`,
    });
  }
}

/** Returns the migrations of the database. Changes nothing, and may run next to services. */
export async function listPostgresMigrations(url: string): Promise<MigrationState[]> {
  try {
    return migrationList(MIGRATIONS, (await withClient(url, storedVersion)) ?? 0);
  } catch (error) {
    throw startError(error);
  }
}

/** Applies pending migrations; waits for instances that do the same. */
export async function upgradePostgres(
  url: string,
  leaseMs = LEASE_MS,
  onWait?: (holders: string[]) => void,
): Promise<void> {
  await migrate(url, MIGRATIONS, leaseMs, undefined, onWait).catch((error: unknown) => {
    throw startError(error);
  });
}
