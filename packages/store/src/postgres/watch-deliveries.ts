import type { Pool } from "pg";
import { WATCHED_BUCKETS, watchedDeliveries } from "../management/log/watched-rows.ts";
import type { WatchedDeliveries } from "../port/delivery-log.ts";
import { readRows } from "./connection.ts";

/**
 * Reads for each webhook the leased deliveries, the waiting ones that are due first or last (the latter were made
 * last), and the newest ended ones in the newest buckets of `log-buckets.ts`. It is one statement, so that a moving
 * delivery is seen once.
 */
export async function watchDeliveries(
  pool: Pool,
  webhookNos: readonly number[],
  perWebhook: number,
): Promise<WatchedDeliveries> {
  const rows = await readRows(
    pool,
    `select q.*, w.no, w.state, mh_now() as now from webhooks w cross join (
         select array(select generate_series(max(seq) / 2097152 - $3::bigint + 1, max(seq) / 2097152)) as nos from ended
       ) buckets cross join lateral (
         (select seq, 'leased' as place, attempts, created_at from leased
          where webhook_no = w.no order by seq desc limit $2)
         union all
         (select seq, 'pending', attempts, created_at from pending
          where webhook_no = w.no order by due_at limit $2)
         union all
         (select seq, 'pending', attempts, created_at from pending
          where webhook_no = w.no order by due_at desc limit $2)
         union all
         (select seq, 'ended', attempts, created_at from ended
          where webhook_no = w.no and seq / 2097152 = any(buckets.nos)
          order by seq / 2097152 desc, seq desc limit $2)
       ) q where w.no = any($1)`,
    [webhookNos, perWebhook, WATCHED_BUCKETS],
  );
  const watched = rows.map((row) => ({
    seq: Number(row["seq"]),
    webhookNo: Number(row["no"]),
    place: String(row["place"]),
    attempts: Number(row["attempts"]),
    createdAt: Number(row["created_at"]),
    webhookState: String(row["state"]),
  }));
  return watchedDeliveries(Number(rows[0]?.["now"] ?? 0), watched, perWebhook);
}
