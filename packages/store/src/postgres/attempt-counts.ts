import type { Pool } from "pg";
import { type AttemptCount, OLDEST_KEPT_HOURS } from "../port/attempt-counts.ts";
import { int2Array, int4Array, int8Array, textArray } from "./binary-array.ts";
import { inTransaction } from "./connection.ts";

/**
 * Sorted as every write of several rows is, so that two instances do not wait for each other in a circle. Of a webhook
 * that was deleted meanwhile nothing is kept.
 */
export async function addAttemptCounts(pool: Pool, counts: readonly AttemptCount[]): Promise<void> {
  const webhookNos = int8Array(counts.map((count) => count.webhookNo));
  await inTransaction(pool, async (client) => {
    await client.query(
      `insert into attempt_counts (webhook_no, hour, ok, failed, last_at, last_outcome, last_status, last_ok_at, ok_events)
       select i.* from unnest($1::bigint[], $2::bigint[], $3::int[], $4::int[], $5::bigint[], $6::text[], $7::int[], $8::bigint[], $9::smallint[])
         as i (webhook_no, hour, ok, failed, last_at, last_outcome, last_status, last_ok_at, ok_events)
       join webhooks w on w.no = i.webhook_no and w.deleted_at is null
       order by i.webhook_no, i.hour
       on conflict (webhook_no, hour) do update set
         ok = attempt_counts.ok + excluded.ok,
         failed = attempt_counts.failed + excluded.failed,
         last_at = excluded.last_at,
         last_outcome = excluded.last_outcome,
         last_status = excluded.last_status,
         last_ok_at = greatest(attempt_counts.last_ok_at, excluded.last_ok_at),
         ok_events = attempt_counts.ok_events | excluded.ok_events`,
      [
        webhookNos,
        int8Array(counts.map((count) => count.hour)),
        int4Array(counts.map((count) => count.ok)),
        int4Array(counts.map((count) => count.failed)),
        int8Array(counts.map((count) => count.lastAt)),
        textArray(counts.map((count) => count.lastOutcome)),
        int4Array(counts.map((count) => count.lastStatus)),
        int8Array(counts.map((count) => count.lastOkAt)),
        int2Array(counts.map((count) => count.okEvents)),
      ],
    );
    // Only of webhooks that have just got a newer row; which event names they accepted is kept. Asked for now once, so
    // that the index finds what is old.
    await client.query(
      `with gone as (
         delete from attempt_counts
         where webhook_no = any($1::bigint[]) and hour < (select mh_now() / 3600000 - $2::bigint)
         returning webhook_no, last_ok_at, ok_events
       )
       insert into accepted_events (webhook_no, kind, last_at)
       select webhook_no, kind, max(last_ok_at)
       from gone join generate_series(0, 14) kind on ok_events & (1 << kind) <> 0
       group by webhook_no, kind order by webhook_no, kind
       on conflict (webhook_no, kind) do update set last_at = greatest(accepted_events.last_at, excluded.last_at)`,
      [webhookNos, OLDEST_KEPT_HOURS],
    );
  });
}
