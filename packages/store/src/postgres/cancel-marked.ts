import type { Pool, PoolClient } from "pg";
import { endStateNumber } from "../hot/kinds.ts";
import {
  type CancelCursor,
  DROPPED,
  FORGET_DELETED,
  LOOKED_AT_ONCE,
  MARKED_AT_ONCE,
  SETTLED_MS,
} from "../management/webhooks/webhook-row.ts";
import { inTransaction } from "./connection.ts";

/**
 * The next marked webhooks for which there is something to do. Not "exists": a plan made while the tables were small would
 * read whole tables each time.
 */
const WITH_WORK = `select no from (
    select no, cancel_before, cancel_reason, deleted_at, updated_at from webhooks
    where cancel_before is not null and no > $3 order by no limit ${LOOKED_AT_ONCE}
  ) w
  where cancel_reason = $1 or (deleted_at is not null and updated_at < mh_now() - $2::bigint)
    or (select 1 from pending d where d.webhook_no = w.no and d.seq < w.cancel_before limit 1) is not null
  order by no limit ${MARKED_AT_ONCE}`;

/** Others may be at work on some of them. */
const LOCKED = `select no from webhooks where no = any($1::bigint[]) and cancel_before is not null
  order by no for no key update skip locked`;

/** The last of those that were looked at; none at the end. */
const LAST = `select no from webhooks where cancel_before is not null and no > $1
  order by no limit 1 offset ${LOOKED_AT_ONCE - 1}`;

/** Cancels, in bounded steps, deliveries that a deletion, a change of owner or a dropped backlog left behind. */
export async function cancelMarked(
  pool: Pool,
  cursor: CancelCursor,
  limit: number,
): Promise<number> {
  return await inTransaction(pool, async (client) => {
    const found = await client.query(WITH_WORK, [DROPPED, SETTLED_MS, cursor.after]);
    const nos = found.rows.map((row) => Number(row["no"]));
    const { rows } = nos.length === 0 ? found : await client.query(LOCKED, [nos]);
    let cancelled = 0;
    let finished = 0;
    for (const row of rows) {
      if (cancelled >= limit) break;
      const count = await cancelSome(client, Number(row["no"]), limit - cancelled);
      cancelled += count;
      if (count === 0) finished += await finish(client, Number(row["no"]));
    }
    if (cancelled + finished === 0) {
      const last = await client.query(LAST, [cursor.after]);
      cursor.after = Number(last.rows[0]?.["no"] ?? 0);
    }
    return cancelled;
  });
}

async function cancelSome(client: PoolClient, no: number, limit: number): Promise<number> {
  const { rowCount } = await client.query(
    `with gone as (
       delete from pending where seq in (
         select d.seq from pending d join webhooks w on w.no = d.webhook_no
         where d.webhook_no = $1 and d.seq < w.cancel_before limit $2 for update of d skip locked
       ) returning *
     )
     insert into ended (seq, event_seq, webhook_no, kind, order_key, state, reason, attempts, outcome, status, origin, created_at, ended_at)
     select g.seq, g.event_seq, g.webhook_no, g.kind, g.order_key, $3, w.cancel_reason, g.attempts, a.outcome, a.status, g.origin, g.created_at, mh_now()
     from gone g join webhooks w on w.no = g.webhook_no
     left join attempts a on a.delivery_seq = g.seq and a.number = g.attempts
     on conflict do nothing`,
    [no, limit, endStateNumber("cancelled")],
  );
  return rowCount ?? 0;
}

const NOTHING_OPEN = `not exists (select 1 from leased d where d.webhook_no = w.no and d.seq < w.cancel_before)
  and not exists (select 1 from pending d where d.webhook_no = w.no and d.seq < w.cancel_before)`;

/**
 * Deliveries that are leased or being claimed may come back: the mark stays until they have ended too. Returns how many
 * marks are gone.
 */
async function finish(client: PoolClient, no: number): Promise<number> {
  // Resumes it only from the state in which the owner left it: a final answer may have disabled it meanwhile.
  const kept = await client.query(
    `update webhooks w set cancel_before = null, cancel_reason = null, resume_after_cancel = 0,
       state = case when state = 'paused' and resume_after_cancel = 1 then 'active' else state end,
       updated_at = mh_now()
     where no = $1 and deleted_at is null and cancel_reason = $2 and ${NOTHING_OPEN}`,
    [no, DROPPED],
  );
  const deleted = await client.query(
    `update webhooks w set cancel_before = null, ${FORGET_DELETED}
     where no = $1 and deleted_at is not null and updated_at < mh_now() - $2::bigint and ${NOTHING_OPEN}`,
    [no, SETTLED_MS],
  );
  return (kept.rowCount ?? 0) + (deleted.rowCount ?? 0);
}
