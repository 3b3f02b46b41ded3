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
        `update attempt_counts set ok = ok + ?, failed = failed + ?, last_at = ?, last_outcome = ?, last_status = ?,
           last_ok_at = max(last_ok_at, ?), ok_events = ok_events | ?
         where webhook_no = ? and hour = ?`,
        ok,
        failed,
        lastAt,
        lastOutcome,
        lastStatus,
        count.lastOkAt,
        count.okEvents,
        webhookNo,
        hour,
      );
      if (added > 0) continue;
      // Only of webhooks that get a newer row.
      forgetOlder(db, webhookNo, oldest);
      db.write(
        `insert into attempt_counts (webhook_no, hour, ok, failed, last_at, last_outcome, last_status, last_ok_at, ok_events)
         select no, ?, ?, ?, ?, ?, ?, ?, ? from webhooks where no = ? and deleted_at is null`,
        hour,
        ok,
        failed,
        lastAt,
        lastOutcome,
        lastStatus,
        count.lastOkAt,
        count.okEvents,
        webhookNo,
      );
    }
  });
}

/** Which event names were accepted in these hours is kept. */
function forgetOlder(db: Connection, webhookNo: number, oldest: number): void {
  const forgotten = db.all(
    "delete from attempt_counts where webhook_no = ? and hour < ? returning last_ok_at, ok_events",
    webhookNo,
    oldest,
  );
  for (const row of forgotten) {
    const events = Number(row["ok_events"]);
    for (let kind = 0; events >> kind > 0; kind += 1) {
      if ((events & (1 << kind)) === 0) continue;
      db.write(
        `insert into accepted_events (webhook_no, kind, last_at) values (?, ?, ?)
         on conflict (webhook_no, kind) do update set last_at = max(last_at, excluded.last_at)`,
        webhookNo,
        kind,
        Number(row["last_ok_at"]),
      );
    }
  }
}
