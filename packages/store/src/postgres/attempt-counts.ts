import type { Pool } from "pg";
import { type AttemptCount, OLDEST_KEPT_HOURS } from "../port/attempt-counts.ts";
import { inTransaction } from "./connection.ts";

/** Sorted as every write of several rows is, so that two instances do not wait for each other in a circle. */
export async function addAttemptCounts(pool: Pool, counts: readonly AttemptCount[]): Promise<void> {
  const sorted = [...counts].sort((a, b) => compare(a, b));
  await inTransaction(pool, async (client) => {
    await client.query(
      `insert into attempt_counts (webhook_id, hour, ok, failed, last_at, last_outcome, last_status)
       select * from unnest($1::text[], $2::bigint[], $3::int[], $4::int[], $5::bigint[], $6::text[], $7::int[])
       on conflict (webhook_id, hour) do update set
         ok = attempt_counts.ok + excluded.ok,
         failed = attempt_counts.failed + excluded.failed,
         last_at = excluded.last_at,
         last_outcome = excluded.last_outcome,
         last_status = excluded.last_status`,
      [
        sorted.map((count) => count.webhookId),
        sorted.map((count) => count.hour),
        sorted.map((count) => count.ok),
        sorted.map((count) => count.failed),
        sorted.map((count) => count.lastAt),
        sorted.map((count) => count.lastOutcome),
        sorted.map((count) => count.lastStatus),
      ],
    );
    // Only of webhooks that have just got a newer row.
    await client.query(
      "delete from attempt_counts where webhook_id = any($1) and hour < mh_now() / 3600000 - $2::bigint",
      [sorted.map((count) => count.webhookId), OLDEST_KEPT_HOURS],
    );
  });
}

function compare(a: AttemptCount, b: AttemptCount): number {
  if (a.webhookId !== b.webhookId) return a.webhookId < b.webhookId ? -1 : 1;
  return a.hour - b.hour;
}
