import type { AttemptCount, AttemptCountStore } from "../port/attempt-counts.ts";
import { databaseNow, type ManagementContext } from "./context.ts";

const HOUR_MS = 3_600_000;
const KEPT_HOURS = 48;
/** Rows of one statement. */
const BATCH = 500;

export function createAttemptCounts({ db, reader }: ManagementContext): AttemptCountStore {
  return {
    async add(counts) {
      // Sorted as every write of several rows is, so that two instances do not wait for each other in a circle.
      const sorted = [...counts].sort((a, b) => compare(a, b));
      const oldest = Math.floor((await databaseNow(reader)) / HOUR_MS) - KEPT_HOURS;
      for (let i = 0; i < sorted.length; i += BATCH)
        await addBatch(sorted.slice(i, i + BATCH), oldest);
    },

    async list(webhookIds) {
      if (webhookIds.length === 0) return [];
      const rows = await reader
        .selectFrom("attempt_counts")
        .selectAll()
        .where("webhook_id", "in", webhookIds)
        .execute();
      return rows.map((row) => ({
        webhookId: row.webhook_id,
        hour: row.hour,
        ok: row.ok,
        failed: row.failed,
        lastAt: row.last_at,
        lastOutcome: row.last_outcome,
        lastStatus: row.last_status,
      }));
    },
  };

  async function addBatch(counts: readonly AttemptCount[], oldest: number): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await trx
        .insertInto("attempt_counts")
        .values(
          counts.map((count) => ({
            webhook_id: count.webhookId,
            hour: count.hour,
            ok: count.ok,
            failed: count.failed,
            last_at: count.lastAt,
            last_outcome: count.lastOutcome,
            last_status: count.lastStatus,
          })),
        )
        .onConflict((conflict) =>
          conflict.columns(["webhook_id", "hour"]).doUpdateSet((eb) => ({
            ok: eb("attempt_counts.ok", "+", eb.ref("excluded.ok")),
            failed: eb("attempt_counts.failed", "+", eb.ref("excluded.failed")),
            last_at: eb.ref("excluded.last_at"),
            last_outcome: eb.ref("excluded.last_outcome"),
            last_status: eb.ref("excluded.last_status"),
          })),
        )
        .execute();
      // Only of webhooks that have just got a newer row.
      await trx
        .deleteFrom("attempt_counts")
        .where("webhook_id", "in", [...new Set(counts.map((count) => count.webhookId))])
        .where("hour", "<", oldest)
        .execute();
    });
  }
}

function compare(a: AttemptCount, b: AttemptCount): number {
  if (a.webhookId !== b.webhookId) return a.webhookId < b.webhookId ? -1 : 1;
  return a.hour - b.hour;
}
