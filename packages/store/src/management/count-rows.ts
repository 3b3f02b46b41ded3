import type { AliasableExpression, Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Counts of deliveries for people go up to this. */
export const COUNT_CAP = 100_000;

/** `found`: the number of rows, counted up to one above the cap. */
export function upToCap(found: number): { count: number; capped: boolean } {
  return { count: Math.min(found, COUNT_CAP), capped: found > COUNT_CAP };
}

/** How many rows a query finds; with a limit it counts no further. */
export async function countRows(
  db: Kysely<Tables>,
  rows: AliasableExpression<object>,
): Promise<number> {
  const { count } = await db
    .selectFrom(rows.as("found"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}
