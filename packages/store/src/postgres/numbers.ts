import { type Kysely, sql } from "kysely";
import { lockingOrder } from "../hot/order-lock.ts";
import type { Tables } from "../tables.ts";

/** Locks first, then numbers: so later numbers about the same buyer are really later. */
export async function takeNumbers(
  trx: Kysely<Tables>,
  orderLocks: readonly number[],
  count: number,
): Promise<number[]> {
  await sql`select count(*) from (
    select pg_advisory_xact_lock(unnest(${lockingOrder(orderLocks)}::bigint[]))) as held`.execute(
    trx,
  );
  const { rows } = await sql<{ n: number }>`
    select nextval('mh_numbers') as n from generate_series(1, ${count}::int)`.execute(trx);
  return rows.map((row) => Number(row.n)).sort((a, b) => a - b);
}
