import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** A value that the database keeps for itself; null: it has none. */
export async function readMeta(db: Kysely<Tables>, key: string): Promise<string | null> {
  const query = db.selectFrom("meta").select("value").where("key", "=", key);
  return (await query.executeTakeFirst())?.value ?? null;
}

export async function writeMeta(db: Kysely<Tables>, key: string, value: string): Promise<void> {
  await db
    .insertInto("meta")
    .values({ key, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();
}

/** One that is there already stays. */
export async function beginMeta(db: Kysely<Tables>, key: string, value: string): Promise<void> {
  await db
    .insertInto("meta")
    .values({ key, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
