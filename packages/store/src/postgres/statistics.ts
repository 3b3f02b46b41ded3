import type { Pool } from "pg";
import { SUSPECT_ALONE_FROM } from "../hot/suspicion.ts";
import type { StoreStatistics, SuspectCount } from "../port/administration.ts";
import { REAL } from "./planner-ballast.ts";
import { readBriefly } from "./connection.ts";
import { MOST_ASKED } from "../port/delivery-log.ts";
import type { OldestDue } from "../port/deliveries.ts";

/** Up to this many rows are counted; above it the server's own estimate is used. */
const COUNTED = 100_000;

const SUSPECTS = `select suspicion as level, count(*)::int as count from (
    (select suspicion from pending where suspicion > 0 limit $1)
    union all (select suspicion from leased where suspicion > 0 limit $1)
  ) f where suspicion > ${SUSPECT_ALONE_FROM} or mh_now() < (select healthy_at from unclean_end)
  group by suspicion order by suspicion`;

export async function statistics(pool: Pool): Promise<StoreStatistics> {
  const [row] = await readBriefly(
    pool,
    `select
       (select count(*) from (select 1 from pending where ${REAL} limit $1 + 1) c) as pending,
       (select n_live_tup from pg_stat_user_tables where relid = 'pending'::regclass) as pending_about,
       (select count(*) from (select 1 from leased where ${REAL} limit $1 + 1) c) as leased,
       (select n_live_tup from pg_stat_user_tables where relid = 'leased'::regclass) as leased_about,
       (select count(*) from instances) as instances,
       ${["active", "paused", "disabled"]
         .map(
           (state) =>
             `(select count(*) from (select 1 from webhooks where deleted_at is null and state = '${state}' limit $1 + 1) c) as ${state},`,
         )
         .join("\n       ")}
       (select reltuples from pg_class where oid = 'webhooks_by_state'::regclass) as webhooks_about,
       (select json_agg(s) from (${SUSPECTS}) s) as suspects,
       pg_database_size(current_database()) as size`,
    [COUNTED],
  );
  const figure = (name: string): number => Number(row?.[name] ?? 0);
  const about = (name: string): number =>
    figure(name) > COUNTED ? Math.max(figure(name), figure(`${name}_about`)) : figure(name);
  const [active, paused, disabled] = [figure("active"), figure("paused"), figure("disabled")];
  return {
    pending: about("pending"),
    leased: about("leased"),
    instances: figure("instances"),
    webhooks: {
      active:
        active > COUNTED
          ? Math.max(active, Math.round(figure("webhooks_about")) - paused - disabled)
          : active,
      paused,
      disabled,
    },
    suspects: (row?.["suspects"] ?? []) as SuspectCount[], // As the statement makes them.
    sizeBytes: figure("size"),
  };
}

/** See `DeliveryStore.oldestDue`: a loose scan, a probe per webhook. */
export async function oldestDue(
  pool: Pool,
  above: number,
  upTo: number,
  most: number,
  without: readonly number[] = [],
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
     left join (select distinct unnest($5::bigint[]) as no) kept on kept.no = v.no
     left join lateral (
       select greatest(pending.due_at, 0) as due_at from pending
       where webhook_no = v.no and due_at <= clock.now and blocked = 0
         -- Selected, not conditions: see claiming.
         and (select w.state = 'active' and w.cancel_before is null from webhooks w where w.no = v.no)
         and (select h.failing_since from webhook_health h where h.webhook_no = v.no) is null
       order by pending.due_at limit 1
     ) q on kept.no is null
     left join lateral (
       select 1 as asked from (
         select asked_until from pending
         where q.due_at is not null and webhook_no = v.no and due_at > clock.now order by due_at limit $4
       ) soonest where asked_until > clock.now limit 1
     ) p on true`,
    [above, upTo, most, MOST_ASKED, without],
  );
  const webhooks = Number(row?.["webhooks"] ?? 0);
  return {
    ageMs: Math.max(0, Number(row?.["age"] ?? 0)),
    webhooks,
    lastNo: webhooks < most ? null : Number(row?.["last"]),
  };
}
