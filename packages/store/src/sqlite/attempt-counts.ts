import { type AttemptCount, OLDEST_KEPT_HOURS, hourOf } from "../port/attempt-counts.ts";
import type { Connection } from "./connection.ts";

/**
 * Most of these are rows that the hour has already: one statement each, and none to make them fit. Of a webhook that
 * was deleted meanwhile nothing is kept.
 */
export function addAttemptCounts(db: Connection, counts: readonly AttemptCount[]): void {
  db.transaction(() => {
    const oldest = hourOf(db.now()) - OLDEST_KEPT_HOURS;
    for (const count of counts) {
      const { webhookNo, hour, ok, failed, lastAt, lastOutcome, lastStatus } = count;
      const added = db.run(
        `update attempt_counts set ok = ok + ?, failed = failed + ?, last_at = ?, last_outcome = ?, last_status = ?
         where webhook_no = ? and hour = ?`,
        ok,
        failed,
        lastAt,
        lastOutcome,
        lastStatus,
        webhookNo,
        hour,
      );
      if (added > 0) continue;
      // Only of webhooks that get a newer row.
      db.write("delete from attempt_counts where webhook_no = ? and hour < ?", webhookNo, oldest);
      db.write(
        `insert into attempt_counts (webhook_no, hour, ok, failed, last_at, last_outcome, last_status)
         select no, ?, ?, ?, ?, ?, ? from webhooks where no = ? and deleted_at is null`,
        hour,
        ok,
        failed,
        lastAt,
        lastOutcome,
        lastStatus,
        webhookNo,
      );
    }
  });
}
