import type { Kysely } from "kysely";
import { type DeliveryDetail, MOST_ASKED } from "../../port/delivery-log.ts";
import type { Tables } from "../../tables.ts";
import { databaseNow } from "../context.ts";
import { newestAttempts } from "./newest-attempts.ts";
import { summaries } from "./delivery-list.ts";
import { findRow } from "./delivery-rows.ts";
import { notDue } from "../early/make-due.ts";

/** Returns one delivery with its newest attempts; null when absent or foreign. */
export async function findDelivery(
  db: Kysely<Tables>,
  id: string,
  ownerId: string | null,
): Promise<DeliveryDetail | null> {
  const row = await findRow(db, id, ownerId);
  if (row === null) return null;
  // As in the list, so that both derive the shown state in one way.
  const [summary] = await summaries(db, [row]);
  const event = await db
    .selectFrom("events")
    .select("payload")
    .where("seq", "=", row.event_seq)
    .executeTakeFirst();
  if (summary === undefined || event === undefined) return null;
  const { dueAt } = summary;
  const attempts = await newestAttempts(db, [row.seq]);
  return {
    ...summary,
    payload: event.payload,
    askedUntil: dueAt === null ? null : await askedUntil(db, row.webhook_no, dueAt),
    attemptRecords: attempts.map(({ number, outcome, status, detail }) => {
      return { number, outcome, status, detail };
    }),
  };
}

async function askedUntil(
  db: Kysely<Tables>,
  webhookNo: number,
  dueAt: number,
): Promise<number | null> {
  const now = await databaseNow(db);
  if (dueAt > now) return null;
  const soonest = notDue(db, webhookNo, now)
    .select("asked_until")
    .orderBy("due_at")
    .orderBy("seq")
    .limit(MOST_ASKED);
  const row = await db
    .selectFrom(soonest.as("soonest"))
    .select(({ fn }) => fn.max("asked_until").as("until"))
    .where("asked_until", ">", now)
    .executeTakeFirst();
  return row?.until == null ? null : Number(row.until);
}
