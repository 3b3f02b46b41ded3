import type { AliasableExpression, Kysely } from "kysely";
import type { Tables } from "../tables.ts";

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
