import type { Pool } from "pg";
import { type AttemptCount, OLDEST_KEPT_HOURS } from "../port/attempt-counts.ts";
import { int4Array, int8Array, textArray } from "./binary-array.ts";
import { inTransaction } from "./connection.ts";

/**
 * Sorted as every write of several rows is, so that two instances do not wait for each other in a circle. Of a webhook
 * that was deleted meanwhile nothing is kept.
 */
export async function addAttemptCounts(pool: Pool, counts: readonly AttemptCount[]): Promise<void> {
  const webhookIds = textArray(counts.map((count) => count.webhookId));
  await inTransaction(pool, async (client) => {
    await client.query(
      `insert into attempt_counts (webhook_id, hour, ok, failed, last_at, last_outcome, last_status)
       select i.* from unnest($1::text[], $2::bigint[], $3::int[], $4::int[], $5::bigint[], $6::text[], $7::int[])
         as i (webhook_id, hour, ok, failed, last_at, last_outcome, last_status)
       join webhooks w on w.id = i.webhook_id and w.deleted_at is null
       order by i.webhook_id, i.hour
       on conflict (webhook_id, hour) do update set
         ok = attempt_counts.ok + excluded.ok,
         failed = attempt_counts.failed + excluded.failed,
         last_at = excluded.last_at,
         last_outcome = excluded.last_outcome,
         last_status = excluded.last_status`,
      [
        webhookIds,
        int8Array(counts.map((count) => count.hour)),
        int4Array(counts.map((count) => count.ok)),
        int4Array(counts.map((count) => count.failed)),
        int8Array(counts.map((count) => count.lastAt)),
        textArray(counts.map((count) => count.lastOutcome)),
        int4Array(counts.map((count) => count.lastStatus)),
      ],
    );
    // Only of webhooks that have just got a newer row.
    await client.query(
      "delete from attempt_counts where webhook_id = any($1::text[]) and hour < mh_now() / 3600000 - $2::bigint",
      [webhookIds, OLDEST_KEPT_HOURS],
    );
  });
}
