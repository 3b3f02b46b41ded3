import { type AttemptCount, OLDEST_KEPT_HOURS, hourOf } from "../port/attempt-counts.ts";
import type { Connection } from "./connection.ts";

/** On their way to the thread that writes: beside many webhooks there are as many as attempts, and objects cost most. */
export interface PackedCounts {
  webhookIds: string[];
  lastOutcomes: string[];
  /** Five of each. */
  numbers: Float64Array;
}

const NUMBERS = 5;
const NO_STATUS = -1;

export function packCounts(counts: readonly AttemptCount[]): PackedCounts {
  const numbers = new Float64Array(counts.length * NUMBERS);
  for (const [no, { hour, ok, failed, lastAt, lastStatus }] of counts.entries()) {
    numbers.set([hour, ok, failed, lastAt, lastStatus ?? NO_STATUS], no * NUMBERS);
  }
  return {
    webhookIds: counts.map((count) => count.webhookId),
    lastOutcomes: counts.map((count) => count.lastOutcome),
    numbers,
  };
}

/**
 * Most of these are rows that the hour has already: one statement each, and none to make them fit. Of a webhook that
 * was deleted meanwhile nothing is kept.
 */
export function addAttemptCounts(
  db: Connection,
  { webhookIds, lastOutcomes, numbers }: PackedCounts,
): void {
  db.transaction(() => {
    const oldest = hourOf(db.now()) - OLDEST_KEPT_HOURS;
    for (const [no, webhookId] of webhookIds.entries()) {
      const at = no * NUMBERS;
      const number = (index: number): number => numbers[at + index] ?? 0;
      const [hour, ok, failed, lastAt] = [number(0), number(1), number(2), number(3)];
      const lastStatus = number(4) === NO_STATUS ? null : number(4);
      const lastOutcome = lastOutcomes[no] ?? "";
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
         select id, ?, ?, ?, ?, ?, ? from webhooks where id = ? and deleted_at is null`,
        hour,
        ok,
        failed,
        lastAt,
        lastOutcome,
        lastStatus,
        webhookId,
      );
    }
  });
}
