import type { Pool, PoolClient } from "pg";
import { endStateNumber } from "../hot/kinds.ts";
import { DROPPED, FORGET_DELETED, MARKED_AT_ONCE } from "../management/webhooks/webhook-row.ts";
import { inTransaction } from "./connection.ts";

/** A deleted webhook stays marked this long, for deliveries that were accepted while it was deleted. */
const SETTLED_MS = 60_000;

/**
 * The marked webhooks for which there is something to do. Those of an earlier owner stay marked for ever, and most have
 * nothing left. Not "exists": a plan made while the tables were small would read whole tables each time.
 */
const WITH_WORK = `select no from webhooks w where cancel_before is not null and (
    cancel_reason = $1 or (deleted_at is not null and updated_at < mh_now() - $2::bigint)
    or (select 1 from pending d where d.webhook_no = w.no and d.seq < w.cancel_before limit 1) is not null)
  order by no limit ${MARKED_AT_ONCE} for no key update skip locked`;

/** Cancels, in bounded steps, deliveries that a deletion, a change of owner or a dropped backlog left behind. */
export async function cancelMarked(pool: Pool, limit: number): Promise<number> {
  return await inTransaction(pool, async (client) => {
    const { rows } = await client.query(WITH_WORK, [DROPPED, SETTLED_MS]);
    let cancelled = 0;
    for (const row of rows) {
      if (cancelled >= limit) break;
      const count = await cancelSome(client, Number(row["no"]), limit - cancelled);
      cancelled += count;
      if (count === 0) await finish(client, Number(row["no"]));
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

/** Deliveries that are leased or being claimed may come back: the mark stays until they have ended too. */
async function finish(client: PoolClient, no: number): Promise<void> {
  // Resumes it only from the state in which the owner left it: a final answer may have disabled it meanwhile.
  await client.query(
    `update webhooks w set cancel_before = null, cancel_reason = null, resume_after_cancel = 0,
       state = case when state = 'paused' and resume_after_cancel = 1 then 'active' else state end,
       updated_at = mh_now()
     where no = $1 and deleted_at is null and cancel_reason = $2 and ${NOTHING_OPEN}`,
    [no, DROPPED],
  );
  await client.query(
    `update webhooks w set cancel_before = null, ${FORGET_DELETED}
     where no = $1 and deleted_at is not null and updated_at < mh_now() - $2::bigint and ${NOTHING_OPEN}`,
    [no, SETTLED_MS],
  );
}
