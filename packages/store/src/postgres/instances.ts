import type { Pool, PoolClient } from "pg";
import { inTransaction } from "./connection.ts";
import { checkSchemaVersion } from "../schema-version.ts";
import { MIGRATION_LOCK } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { release, undoUncleanEnd } from "./rescue.ts";
import { opensNoMore } from "./take-client.ts";

/**
 * Other instances may be alive: only the rescue judges them. An earlier instance of this process is left to the rescue
 * too, because its requests may still be open, but its deliveries will not be suspects.
 *
 * Its number is partly random. A failover that lost commits sets the sequence back, and two instances with leases under
 * one number would not notice.
 *
 * A migration that runs now is waited for, and a later one sees the row. So none changes the tables below an instance
 * that has checked them before and begins only now.
 * @throws `schema_newer`
 */
export async function startInstance(
  heart: Pool,
  hot: Pool,
  name: string,
  version: string,
  survived: number | null,
): Promise<number> {
  // Not with the heartbeats' time limit: its deliveries may be a large queue.
  if (survived !== null) {
    await inTransaction(hot, async (client) => {
      await holdSchema(client);
      await undoUncleanEnd(client, survived);
    });
  }
  return await inTransaction(heart, async (client) => {
    await holdSchema(client);
    const { rows } = await client.query(
      `insert into instances (instance_no, name, version, started_at, renewed_at)
       select nextval('mh_instances') * 1048576 + floor(random() * 1048576)::bigint, $1, $2, now, now from mh_now() as now returning instance_no`,
      [name, version],
    );
    return Number(rows[0]?.["instance_no"]);
  });
}

async function holdSchema(client: PoolClient): Promise<void> {
  const [, schema] = await Promise.all([
    client.query("select pg_advisory_xact_lock_shared($1)", [MIGRATION_LOCK]),
    client.query("select max(version) as stored from schema_version"),
  ]);
  checkSchemaVersion(Number(schema.rows[0]?.["stored"]), MIGRATIONS.length);
}

/**
 * A heartbeat, on a connection of its own. If that was lost and the server opens no more, it goes over one that the
 * service still has: an instance must not look dead because others take all connections.
 */
export async function renewInstance(
  heart: Pool,
  hot: Pool,
  instanceNo: number,
  networkSuspected: boolean,
): Promise<boolean> {
  return await renew(heart, instanceNo, networkSuspected).catch(async (error: unknown) => {
    if (!opensNoMore(error)) throw error;
    return await renew(hot, instanceNo, networkSuspected);
  });
}

/** Does not wait for a standby. If the standby is lost, commits hang, but no instance must look dead because of that. */
async function renew(pool: Pool, instanceNo: number, networkSuspected: boolean): Promise<boolean> {
  return await inTransaction(pool, async (client) => {
    const [, renewed] = await Promise.all([
      client.query("set local synchronous_commit = local"),
      client.query(
        "update instances set renewed_at = mh_now(), network_suspected = $2 where instance_no = $1",
        [instanceNo, networkSuspected ? 1 : 0],
      ),
    ]);
    return (renewed.rowCount ?? 0) > 0;
  });
}

export async function endInstance(pool: Pool, instanceNo: number): Promise<number> {
  return await inTransaction(pool, async (client) => {
    await client.query("delete from instances where instance_no = $1", [instanceNo]);
    return await release(client, instanceNo);
  });
}
