import { deliveryId, instant } from "@markethook/protocol";
import type { Transaction } from "kysely";
import { hourOf } from "../../port/attempt-counts.ts";
import type { Tables } from "../../tables.ts";
import { databaseNow, type ManagementContext } from "../context.ts";
import { padded } from "../padded.ts";
import { insertNotices } from "./notices.ts";

/** Outcomes of an hour may still be on their way into its counts for this long. */
const LATE_MS = 60_000;

/** Limit of told counts that are deleted at once. */
const FORGOTTEN = 1000;

/** Makes notices about deliveries that were given up, one per webhook and hour. See `Maintenance.tellGivenUp`. */
export function createTellGivenUp(
  { transact, reader }: ManagementContext,
  /** Told counts are deleted by this clock. */
  pruneNow: () => Promise<number>,
) {
  return async (retentionMs: number, limit: number): Promise<number> => {
    const now = await databaseNow(reader);
    // By hour alone: the index has that order, so no more are read.
    const over = await reader
      .selectFrom("given_up")
      .select(["webhook_no", "hour"])
      .where("told", "=", 0)
      .where("hour", "<", hourOf(now - LATE_MS))
      .orderBy("hour")
      .limit(limit)
      .execute();
    const byHour = Map.groupBy(over, ({ hour }) => hour);
    const tell = async (trx: Transaction<Tables>): Promise<number> => {
      let told = 0;
      for (const [hour, some] of byHour) {
        const nos = some.map(({ webhook_no }) => webhook_no);
        told += await tellHour(trx, hour, nos);
      }
      return told;
    };
    const told = over.length === 0 ? 0 : await transact(tell);
    const before = hourOf((await pruneNow()) - retentionMs);
    return told + (await transact(async (trx) => await forget(trx, before)));
  };
}

/** Deletes some told counts of earlier hours; returns how many. */
async function forget(trx: Transaction<Tables>, before: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom("given_up")
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("webhook_no", "hour"),
        "in",
        selectFrom("given_up")
          .select(["webhook_no", "hour"])
          .where("told", "=", 1)
          .where("hour", "<", before)
          .orderBy("hour")
          .limit(FORGOTTEN)
          .$asTuple("webhook_no", "hour"),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Tells of one hour at these webhooks, with a fixed number of statements; returns how many were told. */
async function tellHour(
  trx: Transaction<Tables>,
  hour: number,
  webhookNos: readonly number[],
): Promise<number> {
  const told = await trx
    .updateTable("given_up")
    .set({ told: 1 })
    .where("webhook_no", "in", padded(webhookNos))
    .where("hour", "=", hour)
    .where("told", "=", 0)
    .returning("webhook_no")
    .execute();
  // Another instance was first, or the hour is an impossible number.
  if (told.length === 0) return 0;
  const rows = await trx
    .selectFrom("given_up as g")
    .innerJoin("webhooks as w", "w.no", "g.webhook_no")
    .selectAll("g")
    .select(["w.id", "w.owner_id", "w.resource_id"])
    .where("g.webhook_no", "in", padded(told.map((row) => row.webhook_no)))
    .where("g.hour", "=", hour)
    // All of them have been sent again meanwhile.
    .where("g.count", "<>", 0)
    // A request may have been under way at its deletion.
    .where("w.deleted_at", "is", null)
    .orderBy("g.webhook_no")
    .execute();
  if (rows.length === 0) return told.length;
  const ended = await trx
    .selectFrom("ended as d")
    .innerJoin("events as e", "e.seq", "d.event_seq")
    .select(["d.seq", "e.tag"])
    .where("d.seq", "in", padded(rows.flatMap((row) => [row.first_seq, row.last_seq])))
    .execute();
  const ids = new Map(ended.map((one) => [one.seq, deliveryId(one)]));
  const notices = rows.map((row) => ({
    about: row,
    kind: "delivery_exhausted" as const,
    detail: {
      hour: instant(hour * 3_600_000),
      count: row.count,
      firstDeliveryId: ids.get(row.first_seq) ?? null,
      lastDeliveryId: ids.get(row.last_seq) ?? null,
      lastOutcome: row.last_outcome,
      lastStatus: row.last_status,
    },
  }));
  await insertNotices(trx, notices);
  return told.length;
}
