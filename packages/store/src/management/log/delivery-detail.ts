import { parseDeliveryId } from "@markethook/protocol";
import type { Kysely } from "kysely";
import { MOST_ASKED } from "../../hot/asked-pause.ts";
import type { AttemptRecord } from "../../port/deliveries.ts";
import { type DeliveryDetail, NEWEST_ATTEMPTS } from "../../port/delivery-log.ts";
import type { Tables } from "../../tables.ts";
import { databaseNow } from "../context.ts";
import { deliveriesByNumber } from "./delivery-list.ts";
import { notDue } from "../early/make-due.ts";

/** Returns one delivery with its newest attempts; null when absent or foreign. */
export async function findDelivery(
  db: Kysely<Tables>,
  id: string,
  ownerId: string | null,
): Promise<DeliveryDetail | null> {
  const parsed = parseDeliveryId(id);
  if (parsed === null) return null;
  const where = await locate(db, parsed.seq);
  if (where === null || where.tag !== parsed.tag) return null;
  if (ownerId !== null && where.ownerId !== ownerId) return null;
  // As in the list, so that both derive the shown state in one way.
  const [found] = await deliveriesByNumber(db, [parsed.seq]);
  if (found === undefined) return null;
  const { webhookNo, ...summary } = found;
  return {
    ...summary,
    payload: where.payload,
    askedUntil: summary.dueAt === null ? null : await askedUntil(db, webhookNo, summary.dueAt),
    attemptRecords: await attemptsOf(db, parsed.seq),
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

/** In one statement, because a delivery that moves between tables meanwhile must not look absent. */
async function locate(db: Kysely<Tables>, seq: number) {
  const inTable = (table: "ended" | "leased" | "pending") =>
    db
      .selectFrom(`${table} as d` as "ended as d") // All of these tables have these columns.
      .innerJoin("events as e", "e.seq", "d.event_seq")
      .innerJoin("webhooks as w", "w.no", "d.webhook_no")
      .select(["e.tag", "e.payload", "w.owner_id as ownerId"])
      .where("d.seq", "=", seq);
  const query = inTable("ended").unionAll(inTable("leased")).unionAll(inTable("pending"));
  return (await query.executeTakeFirst()) ?? null;
}

/** The first attempt of most deliveries ends them; it is stored in the row of `ended` itself. */
async function attemptsOf(db: Kysely<Tables>, seq: number): Promise<AttemptRecord[]> {
  const folded = await db
    .selectFrom("ended")
    .select(["outcome", "status", "first_attempt"])
    .where("seq", "=", seq)
    .where("first_attempt", "is not", null)
    .executeTakeFirst();
  if (folded?.first_attempt != null) {
    return [
      {
        number: 1,
        outcome: folded.outcome ?? "",
        status: folded.status,
        detail: folded.first_attempt,
      },
    ];
  }
  const newest = await db
    .selectFrom("attempts")
    .select(["number", "outcome", "status", "detail"])
    .where("delivery_seq", "=", seq)
    .orderBy("number", "desc")
    .limit(NEWEST_ATTEMPTS)
    .execute();
  return newest.reverse();
}
