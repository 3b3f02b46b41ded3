import type { Client } from "pg";
import { storeError } from "./connection.ts";
import { withClient } from "./direct-client.ts";

/** Where two URLs lead. Two servers: one is a standby, or a failover is going on. */
export type Comparison = "same" | "two_servers" | "two_databases";

const LOCK = 7_411_004;
const LIMITS = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 };

/**
 * Tells whether two URLs lead to one database, also through a pooler, before there are tables, and for any user: what
 * is locked through one must be seen through the other. A copy of a database has the same content, but not the lock.
 */
export async function comparePostgres(url: string, otherUrl: string): Promise<Comparison> {
  try {
    return await withClient(
      url,
      (one) => withClient(otherUrl, (other) => compare(one, other), LIMITS),
      LIMITS,
    );
  } catch (error) {
    throw storeError(error);
  }
}

async function compare(one: Client, other: Client): Promise<Comparison> {
  await one.query("begin");
  const { rows: locked } = await one.query<{ pid: number }>(
    "select pg_backend_pid() as pid, pg_advisory_xact_lock_shared($1)",
    [LOCK],
  );
  const { rows: seen } = await other.query(
    `select 1 from pg_locks where locktype = 'advisory' and objid = $1 and pid = $2
       and database = (select oid from pg_database where datname = current_database())`,
    [LOCK, locked[0]?.pid],
  );
  await one.query("rollback");
  if (seen.length > 0) return "same";
  const places = [await placeOf(one), await placeOf(other)] as const;
  const isStandby = places.some((place) => place.standby);
  const isCluster = places[0].id !== null && places[0].id === places[1].id;
  return isStandby || isCluster ? "two_servers" : "two_databases";
}

/** All servers of a cluster have the same id for a database. Null: this user may not ask. */
async function placeOf(client: Client): Promise<{ standby: boolean; id: string | null }> {
  const { rows } = await client.query<{ standby: boolean }>(
    "select pg_is_in_recovery() as standby",
  );
  const id = await client
    .query<{ id: string }>(
      `select system_identifier || ' ' || oid as id from pg_control_system(), pg_database
         where datname = current_database()`,
    )
    .then(
      (answer) => answer.rows[0]?.id ?? null,
      () => null,
    );
  return { standby: rows[0]?.standby === true, id };
}
