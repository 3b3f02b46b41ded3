import type { Kysely } from "kysely";
import { ALL_WEBHOOKS, REPLY_COLUMNS } from "../../hot/attempt-counts.ts";
import type {
  AttemptCountStore,
  CountRange,
  CountScope,
  CountSum,
} from "../../port/attempt-counts.ts";
import type { Tables } from "../../tables.ts";
import type { ManagementContext } from "../context.ts";
import { webhookIs } from "./webhook-filter.ts";

/** `add` differs between the databases: if many webhooks are busy, there is a row for every few attempts. */
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
        givenUp: row.given_up,
        replies: REPLY_COLUMNS.map((name) => row[name]),
        lastAt: row.last_at,
        lastOutcome: row.last_outcome,
        lastStatus: row.last_status,
        lastOkAt: row.last_ok_at,
        okEvents: row.ok_events,
      }));
    },

    async sums(scope, range) {
      // An hour moves from one table to the other in a transaction, and is read in one statement.
      const rows = await sumsIn(reader, "attempt_counts", scope, range)
        .unionAll(sumsIn(reader, "attempt_history", scope, range))
        .execute();
      const bySteps = Map.groupBy(rows, ({ step }) => Number(step));
      return [...bySteps]
        .map(([step, some]): CountSum => {
          const sum = (name: keyof (typeof rows)[number]): number =>
            some.reduce((total, row) => total + Number(row[name]), 0);
          return {
            step,
            ok: sum("ok"),
            failed: sum("failed"),
            givenUp: sum("given_up"),
            replies: REPLY_COLUMNS.map(sum),
          };
        })
        .filter(({ ok, failed }) => ok + failed > 0)
        .sort((one, other) => one.step - other.step);
    },
  };
}

function sumsIn(
  db: Kysely<Tables>,
  table: "attempt_counts" | "attempt_history",
  scope: CountScope,
  { firstHour, stepHours, steps }: CountRange,
) {
  const rows = db
    .selectFrom(table)
    .where("hour", ">=", firstHour)
    .where("hour", "<", firstHour + stepHours * steps)
    // With parameters, PostgreSQL would not see that both expressions are equal.
    .select((eb) =>
      eb(eb.parens("hour", "-", eb.lit(firstHour)), "/", eb.lit(stepHours)).as("step"),
    )
    .select(({ fn }) =>
      (["ok", "failed", "given_up", ...REPLY_COLUMNS] as const).map((name) =>
        fn.sum<number>(name).as(name),
      ),
    )
    .groupBy("step");
  const { webhookNo, ownerId, resourceId } = scope;
  if (ownerId === null && resourceId === null) {
    return rows.where("webhook_no", "=", webhookNo ?? ALL_WEBHOOKS);
  }
  let webhooks = db
    .selectFrom("webhooks as w")
    .select("w.no")
    .where("w.deleted_at", "is", null)
    .where(webhookIs({ ownerId, resourceId }));
  if (webhookNo !== null) webhooks = webhooks.where("w.no", "=", webhookNo);
  return rows.where("webhook_no", "in", webhooks);
}

/** Deletes the health and all counts of these deleted webhooks. */
export async function forgetCounts(
  db: Kysely<Tables>,
  webhookNos: readonly number[],
): Promise<void> {
  if (webhookNos.length === 0) return;
  const tables = [
    "webhook_health",
    "attempt_counts",
    "attempt_history",
    "accepted_events",
    "given_up",
  ] as const;
  for (const table of tables) {
    await db.deleteFrom(table).where("webhook_no", "in", webhookNos).execute();
  }
}
