import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** A single writer is in order by itself. */
export async function takeNumbers(trx: Kysely<Tables>, count: number): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`
    with recursive counter(i) as (select 1 union all select i + 1 from counter where i < ${count})
    select mh_next() as n from counter`.execute(trx);
  return rows.map((row) => Number(row.n)).sort((a, b) => a - b);
}
