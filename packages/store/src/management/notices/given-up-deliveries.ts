import { deliveryId, instant } from "@markethook/protocol";
import type { Transaction } from "kysely";
import { hourOf } from "../../port/attempt-counts.ts";
import type { Tables } from "../../tables.ts";
import { databaseNow, type ManagementContext } from "../context.ts";
import { insertNotice } from "./notices.ts";

/** Outcomes of an hour may still be on their way into its counts for this long. */
const LATE_MS = 60_000;

/** Makes notices about deliveries that were given up, one per webhook and hour. See `Maintenance.tellGivenUp`. */
export function createTellGivenUp(
  { transact, reader }: ManagementContext,
  /** Told counts are deleted by this clock. */
  pruneNow: () => Promise<number>,
) {
  return async (retentionMs: number, limit: number): Promise<number> => {
    const now = await databaseNow(reader);
    const over = await reader
      .selectFrom("given_up")
      .select(["webhook_no", "hour"])
      .where("told", "=", 0)
      .where("hour", "<", hourOf(now - LATE_MS))
      .orderBy("webhook_no")
      .orderBy("hour")
      .limit(limit)
      .execute();
    const told = over.length === 0 ? 0 : await transact((trx) => tellEach(trx, over, now));
    const forgotten = hourOf((await pruneNow()) - retentionMs);
    await transact(
      async (trx) =>
        await trx
          .deleteFrom("given_up")
          .where("told", "=", 1)
          .where("hour", "<", forgotten)
          .execute(),
    );
    return told;
  };
}

async function tellEach(
  trx: Transaction<Tables>,
  over: readonly { webhook_no: number; hour: number }[],
  now: number,
): Promise<number> {
  let told = 0;
  for (const { webhook_no: no, hour } of over) {
    const { numUpdatedRows } = await trx
      .updateTable("given_up")
      .set({ told: 1 })
      .where("webhook_no", "=", no)
      .where("hour", "=", hour)
      .where("told", "=", 0)
      .executeTakeFirst();
    // Another instance was first, or the hour is an impossible number.
    if (numUpdatedRows === 0n) continue;
    told += 1;
    await tell(trx, no, hour, now);
  }
  return told;
}

async function tell(
  trx: Transaction<Tables>,
  no: number,
  hour: number,
  now: number,
): Promise<void> {
  const row = await trx
    .selectFrom("given_up")
    .selectAll()
    .where("webhook_no", "=", no)
    .where("hour", "=", hour)
    .executeTakeFirstOrThrow();
  const webhook = await trx
    .selectFrom("webhooks")
    .select(["id", "owner_id", "resource_id"])
    .where("no", "=", no)
    // A request may have been under way at its deletion.
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  // All of them have been sent again meanwhile.
  if (webhook === undefined || row.count === 0) return;
  const ended = await trx
    .selectFrom("ended as d")
    .innerJoin("events as e", "e.seq", "d.event_seq")
    .select(["d.seq", "e.tag"])
    .where("d.seq", "in", [row.first_seq, row.last_seq])
    .execute();
  const ids = new Map(ended.map((one) => [one.seq, deliveryId(one)]));
  const detail = {
    hour: instant(hour * 3_600_000),
    count: row.count,
    firstDeliveryId: ids.get(row.first_seq) ?? null,
    lastDeliveryId: ids.get(row.last_seq) ?? null,
    lastOutcome: row.last_outcome,
    lastStatus: row.last_status,
  };
  await insertNotice(trx, webhook, { kind: "delivery_exhausted", detail }, now);
}
