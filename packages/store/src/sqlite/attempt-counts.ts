import { type AttemptCount, OLDEST_KEPT_HOURS, hourOf } from "../port/attempt-counts.ts";
import type { Connection } from "./connection.ts";

/** Most of these are rows that the hour has already: one statement each, and none to make them fit. */
export function addAttemptCounts(db: Connection, counts: readonly AttemptCount[]): void {
  db.transaction(() => {
    const oldest = hourOf(db.now()) - OLDEST_KEPT_HOURS;
    for (const { webhookId, hour, ok, failed, lastAt, lastOutcome, lastStatus } of counts) {
      const added = db.run(
        `update attempt_counts set ok = ok + ?, failed = failed + ?, last_at = ?, last_outcome = ?, last_status = ?
         where webhook_id = ? and hour = ?`,
        ok,
        failed,
        lastAt,
        lastOutcome,
        lastStatus,
        webhookId,
        hour,
      );
      if (added > 0) continue;
      // Only of webhooks that get a newer row.
      db.write("delete from attempt_counts where webhook_id = ? and hour < ?", webhookId, oldest);
      db.write(
        `insert into attempt_counts (webhook_id, hour, ok, failed, last_at, last_outcome, last_status)
         values (?, ?, ?, ?, ?, ?, ?)`,
        webhookId,
        hour,
        ok,
        failed,
        lastAt,
        lastOutcome,
        lastStatus,
      );
    }
  });
}
