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
import { padded } from "../padded.ts";
import { webhookIs } from "./webhook-filter.ts";

const TABLES = ["attempt_counts", "attempt_history"] as const;

/**
 * `add` differs between the databases: if many webhooks are busy, there is a row for every few attempts. `most`: how many
 * rows of a table one statement reads for sums, where all other reads wait for it. Null: they do not.
 */
export function createAttemptCounts(
  { reader }: ManagementContext,
  add: AttemptCountStore["add"],
  most: number | null,
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
      const rows: Awaited<ReturnType<ReturnType<typeof sumsIn>["execute"]>> = [];
      for (const some of await partsOf(reader, scope, range, most)) {
        // An hour moves from one table to the other in a transaction, and is read in one statement.
        const sums = sumsIn(reader, "attempt_counts", some, range);
        rows.push(
          ...(await sums.unionAll(sumsIn(reader, "attempt_history", some, range)).execute()),
        );
      }
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

/** Some webhooks' numbers, or the query of them. */
type Webhooks = readonly number[] | ReturnType<typeof webhooksOf>;

/** The webhooks to sum, as many in each part as one statement may read. */
async function partsOf(
  db: Kysely<Tables>,
  scope: CountScope,
  { firstHour, stepHours, steps }: CountRange,
  most: number | null,
): Promise<Webhooks[]> {
  if (scope.ownerId === null && scope.resourceId === null)
    return [[scope.webhookNo ?? ALL_WEBHOOKS]];
  const all = webhooksOf(db, scope);
  if (most === null) return [all];
  const counted = await all
    .where(({ exists, or, selectFrom }) =>
      or(
        TABLES.map((table) =>
          exists(
            selectFrom(`${table} as c` as "attempt_history as c") // Both tables have these columns.
              .select("c.hour")
              .whereRef("c.webhook_no", "=", "w.no")
              .where("c.hour", ">=", firstHour),
          ),
        ),
      ),
    )
    .execute();
  const nos = counted.map(({ no }) => no);
  const together = Math.max(1, Math.floor(most / (stepHours * steps)));
  const parts: Webhooks[] = [];
  for (let from = 0; from < nos.length; from += together)
    parts.push(padded(nos.slice(from, from + together)));
  return parts;
}

function webhooksOf(db: Kysely<Tables>, { webhookNo, ownerId, resourceId }: CountScope) {
  const webhooks = db
    .selectFrom("webhooks as w")
    .select("w.no")
    .where("w.deleted_at", "is", null)
    .where(webhookIs({ ownerId, resourceId }));
  return webhookNo === null ? webhooks : webhooks.where("w.no", "=", webhookNo);
}

function sumsIn(
  db: Kysely<Tables>,
  table: (typeof TABLES)[number],
  webhooks: Webhooks,
  { firstHour, stepHours, steps }: CountRange,
) {
  return (
    db
      .selectFrom(table)
      .where("webhook_no", "in", webhooks)
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
      .groupBy("step")
  );
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
