import type { Kysely } from "kysely";
import type { StoreStatistics } from "../port/administration.ts";
import type { Instance } from "../port/instances.ts";
import type { Tables } from "../tables.ts";

export async function countStore(db: Kysely<Tables>): Promise<Omit<StoreStatistics, "sizeBytes">> {
  const count = async (table: "waiting" | "live" | "instances"): Promise<number> => {
    const row = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return Number(row.count);
  };
  const states = await db
    .selectFrom("webhooks")
    .select("state")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("deleted_at", "is", null)
    .groupBy("state")
    .execute();
  const inState = (state: string): number =>
    Number(states.find((row) => row.state === state)?.count ?? 0);
  return {
    waiting: await count("waiting"),
    live: await count("live"),
    instances: await count("instances"),
    webhooks: {
      active: inState("active"),
      paused: inState("paused"),
      disabled: inState("disabled"),
    },
  };
}

export async function listInstances(db: Kysely<Tables>): Promise<Instance[]> {
  const rows = await db.selectFrom("instances").selectAll().orderBy("life").execute();
  return rows.map((row) => ({
    life: row.life,
    name: row.name,
    version: row.version,
    startedAt: row.started_at,
    renewedAt: row.renewed_at,
  }));
}
