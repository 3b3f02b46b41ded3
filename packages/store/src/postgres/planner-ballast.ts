import type { ClientBase } from "pg";

/**
 * Rows that are always in `leased` and `pending`, because PostgreSQL's planner must never believe that these are empty.
 * They are, most of the time, and a vacuum in such a moment notes it. Until the next one, a minute later or more, the
 * planner expects no row, and each way to read costs the same to it: it reads the whole of `leased` for each
 * settlement, or the whole of an index for each number. Thousands of rows may have come meanwhile, and sending stalls
 * (docs/adr/0036).
 *
 * Nothing finds them: their numbers, webhooks, events and order keys are below 0. Statements that name none of these
 * have `REAL`.
 */
const ROWS = 5000;

/** Excludes the ballast. */
export const REAL = "seq > 0";

/** Far more than would be ever due; a JavaScript number. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** Adds the rows that are missing: all in a new database, and in one whose tables somebody has emptied. */
export async function layBallast(client: Pick<ClientBase, "query">): Promise<void> {
  const { rows } = await client.query(
    `select (select count(*) from leased where seq < 0) + (select count(*) from pending where seq < 0) as count`,
  );
  if (Number(rows[0]?.["count"]) === 2 * ROWS) return;
  // In one of the tables alone, as the number of a delivery is.
  await client.query(
    `insert into leased (seq, event_seq, webhook_no, kind, order_key, instance_no, created_at)
     select n, n, n, 0, n, 0, 0 from generate_series(${-ROWS}, -1) as n on conflict do nothing`,
  );
  await client.query(
    `insert into pending (seq, event_seq, webhook_no, kind, order_key, due_at, created_at)
     select n, n, n, 0, n, ${NEVER}, 0 from generate_series(${-2 * ROWS}, ${-ROWS - 1}) as n on conflict do nothing`,
  );
  // Until then older statistics count. A user who does not own the tables gets a warning, and autovacuum does it later.
  await client.query("analyze leased, pending");
}
