import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** All callers lock in one order, with the same strength as the hot path, so that key share locks still pass. */
export async function lockRows(
  trx: Kysely<Tables>,
  table: "api_keys" | "resources" | "webhooks",
  ids: readonly string[],
): Promise<void> {
  await sql`select 1 from ${sql.table(table)} where id = any(${[...ids]}::text[])
    order by id collate "C" for no key update`.execute(trx);
}
