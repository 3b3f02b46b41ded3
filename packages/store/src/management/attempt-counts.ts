import type { AttemptCount, AttemptCountStore } from "../port/attempt-counts.ts";
import type { ManagementContext } from "./context.ts";

/** Rows of one transaction: what is being accepted and settled goes in between. */
const BATCH = 1000;

/** `addBatch` is each database's own: beside many webhooks there is a row for nearly every attempt. */
export function createAttemptCounts(
  { reader }: ManagementContext,
  addBatch: (counts: readonly AttemptCount[]) => Promise<void>,
): AttemptCountStore {
  return {
    async add(counts) {
      for (let i = 0; i < counts.length; i += BATCH) await addBatch(counts.slice(i, i + BATCH));
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
}
