import type { Pool } from "pg";
import { readRows } from "./connection.ts";

/** How long the oldest due delivery has been due, over active webhooks; a loose scan, a probe per webhook. */
export async function oldestDueAgeMs(pool: Pool): Promise<number> {
  const [row] = await readRows(
    pool,
    `with recursive visited (no) as (
       (select webhook_no from waiting order by webhook_no limit 1)
       union all
       select (select d.webhook_no from waiting d where d.webhook_no > v.no order by d.webhook_no limit 1)
       from visited v where v.no is not null
     ), clock as materialized (select mh_now() as now)
     select coalesce(max(clock.now - q.due_at), 0) as age
     from visited v cross join clock
     join webhooks w on w.no = v.no and w.state = 'active' and w.cancel_before is null
     cross join lateral (
       select due_at from waiting
       where webhook_no = v.no and due_at <= clock.now and blocked = 0 order by due_at limit 1
     ) q`,
  );
  return Math.max(0, Number(row?.["age"] ?? 0));
}
