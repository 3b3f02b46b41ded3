import { type AttemptCount, OLDEST_KEPT_HOURS, hourOf } from "../port/attempt-counts.ts";
import type { Connection } from "./connection.ts";

/** On their way to the thread that writes: beside many webhooks there are as many as attempts, and objects cost most. */
export interface PackedCounts {
  lastOutcomes: string[];
  /** Six of each. */
  numbers: Float64Array;
}

const NUMBERS = 6;
const NO_STATUS = -1;

export function packCounts(counts: readonly AttemptCount[]): PackedCounts {
  const numbers = new Float64Array(counts.length * NUMBERS);
  for (const [at, { webhookNo, hour, ok, failed, lastAt, lastStatus }] of counts.entries()) {
    numbers.set([webhookNo, hour, ok, failed, lastAt, lastStatus ?? NO_STATUS], at * NUMBERS);
  }
  return {
    lastOutcomes: counts.map((count) => count.lastOutcome),
    numbers,
  };
}

/**
 * Most of these are rows that the hour has already: one statement each, and none to make them fit. Of a webhook that
 * was deleted meanwhile nothing is kept.
 */
export function addAttemptCounts(db: Connection, { lastOutcomes, numbers }: PackedCounts): void {
  db.transaction(() => {
    const oldest = hourOf(db.now()) - OLDEST_KEPT_HOURS;
    for (const [at, lastOutcome] of lastOutcomes.entries()) {
      const number = (index: number): number => numbers[at * NUMBERS + index] ?? 0;
      const [webhookNo, hour, ok] = [number(0), number(1), number(2)];
      const [failed, lastAt, status] = [number(3), number(4), number(5)];
      const lastStatus = status === NO_STATUS ? null : status;
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
