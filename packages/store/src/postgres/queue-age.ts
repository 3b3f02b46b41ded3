import type { Pool } from "pg";
import { MOST_ASKED } from "../hot/asked-pause.ts";
import type { OldestDue } from "../port/deliveries.ts";
import { readBriefly } from "./connection.ts";

/** See `DeliveryStore.oldestDue`: a loose scan, a probe per webhook. */
export async function oldestDue(
  pool: Pool,
  above: number,
  upTo: number,
  most: number,
): Promise<OldestDue> {
  const [row] = await readBriefly(
    pool,
    `with recursive visited (no, nth) as (
       (select webhook_no, 1 from pending where webhook_no > $1 and webhook_no <= $2 order by webhook_no limit 1)
       union all
       select (select d.webhook_no from pending d where d.webhook_no > v.no and d.webhook_no <= $2
               order by d.webhook_no limit 1), v.nth + 1
       from visited v where v.no is not null and v.nth < $3
     ), clock as materialized (select mh_now() as now)
     select count(v.no) as webhooks, max(v.no) as last,
       coalesce(max(clock.now - q.due_at) filter (where p.asked is null), 0) as age
     from visited v cross join clock
     left join lateral (
       select greatest(pending.due_at, 0) as due_at from pending
       where webhook_no = v.no and due_at <= clock.now and blocked = 0
         -- Selected, not conditions: see claiming.
         and (select w.state = 'active' and w.cancel_before is null from webhooks w where w.no = v.no)
       order by pending.due_at limit 1
     ) q on true
     left join lateral (
       select 1 as asked from (
         select asked_until from pending
         where q.due_at is not null and webhook_no = v.no and due_at > clock.now order by due_at limit $4
       ) soonest where asked_until > clock.now limit 1
     ) p on true`,
    [above, upTo, most, MOST_ASKED],
  );
  const webhooks = Number(row?.["webhooks"] ?? 0);
  return {
    ageMs: Math.max(0, Number(row?.["age"] ?? 0)),
    webhooks,
    lastNo: webhooks < most ? null : Number(row?.["last"]),
  };
}
