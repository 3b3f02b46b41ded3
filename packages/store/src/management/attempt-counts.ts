import type { Kysely } from "kysely";
import type { AttemptCountStore } from "../port/attempt-counts.ts";
import type { Tables } from "../tables.ts";
import type { ManagementContext } from "./context.ts";

/** `add` is each database's own: where many webhooks are busy, there is a row for every few attempts. */
export function createAttemptCounts(
  { reader }: ManagementContext,
  add: AttemptCountStore["add"],
): AttemptCountStore {
  return {
    add,

    async list(webhookNos) {
      if (webhookNos.length === 0) return [];
      const rows = await reader
        .selectFrom("attempt_counts")
        .selectAll()
        .where("webhook_no", "in", webhookNos)
        .execute();
      return rows.map((row) => ({
        webhookNo: row.webhook_no,
        hour: row.hour,
        ok: row.ok,
        failed: row.failed,
        lastAt: row.last_at,
        lastOutcome: row.last_outcome,
        lastStatus: row.last_status,
        lastOkAt: row.last_ok_at,
        okEvents: row.ok_events,
      }));
    },
  };
}

/** All that is counted of these webhooks, which are deleted. */
export async function forgetCounts(
  db: Kysely<Tables>,
  webhookNos: readonly number[],
): Promise<void> {
  if (webhookNos.length === 0) return;
  for (const table of ["attempt_counts", "accepted_events", "given_up"] as const) {
    await db.deleteFrom(table).where("webhook_no", "in", webhookNos).execute();
  }
}
