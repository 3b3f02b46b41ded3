import type { ExpressionBuilder, Kysely } from "kysely";
import { deliveryNumber } from "../../hot/numbers.ts";
import type { Tables } from "../../tables.ts";
import { databaseNow } from "../context.ts";
import { bucket, inBuckets } from "./log-buckets.ts";
import { padded } from "../padded.ts";

/** Numbers follow the order of time except for this much: clocks differ and are set. */
const MARGIN_MS = 600_000;
/**
 * The number down to which (exclusive) one pass over some webhooks' ended deliveries reads; 0: to the end of these
 * buckets. It is the highest number below which each webhook has had `each` of its rows, so that the part read is one
 * range.
 */
export async function examinedDownTo(
  db: Kysely<Tables>,
  webhookNos: readonly number[],
  beforeSeq: number | null,
  each: number,
  buckets: readonly number[],
): Promise<number> {
  const rows = await db
    .selectFrom("webhooks as w")
    .select((eb) => nthNewest(eb, beforeSeq, buckets, each).as("bound"))
    .where("w.no", "in", padded(webhookNos))
    .execute();
  return Math.max(0, ...rows.map(({ bound }) => bound ?? 0));
}

/** An ended delivery of the webhook `w` in these buckets, so many after its newest. */
export function nthNewest(
  { selectFrom }: ExpressionBuilder<Tables & { w: Tables["webhooks"] }, "w">,
  beforeSeq: number | null,
  buckets: readonly number[],
  offset: number,
) {
  let query = selectFrom("ended as d")
    .select("d.seq")
    .whereRef("d.webhook_no", "=", "w.no")
    .where(inBuckets("ended", buckets))
    .orderBy(bucket("ended"), "desc");
  if (beforeSeq !== null) query = query.where("d.seq", "<", beforeSeq);
  return query.orderBy("d.seq", "desc").offset(offset).limit(1);
}

/** The number down to which (exclusive) one pass over all rows of a table reads; 0: to the end. */
export async function downTo(
  db: Kysely<Tables>,
  place: "ended" | "pending" | "events",
  beforeSeq: number | null,
  examined: number,
): Promise<number> {
  let query = db.selectFrom(place).select("seq");
  if (beforeSeq !== null) query = query.where("seq", "<", beforeSeq);
  const row = await query.orderBy("seq", "desc").offset(examined).limit(1).executeTakeFirst();
  return row?.seq ?? 0;
}

/** Deliveries made at or after `ms` have at least this number, except for an event that is being stored now. */
export async function firstNumberFrom(db: Kysely<Tables>, ms: number): Promise<number> {
  const seq = await firstEventFrom(db, ms - MARGIN_MS);
  return seq === null ? 0 : deliveryNumber(seq);
}

/** Deliveries made before `ms` have numbers below this; null: nothing was stored since. */
export async function firstNumberAfter(db: Kysely<Tables>, ms: number): Promise<number | null> {
  const seq = await firstEventFrom(db, ms + MARGIN_MS);
  return seq === null ? null : deliveryNumber(seq);
}

/** Events accepted in this time have numbers in this range, both ends exclusive; null: no bound. */
export async function eventNumbersBetween(
  db: Kysely<Tables>,
  { from, to }: { from: number; to: number },
): Promise<{ above: number; below: number | null }> {
  const first = await firstEventFrom(db, from - MARGIN_MS);
  return { above: (first ?? 0) - 1, below: await firstEventFrom(db, to + MARGIN_MS) };
}

/** Deliveries that are made from now on, or are being stored, have numbers above this; most others do not. */
export async function recentNumber(db: Kysely<Tables>): Promise<number> {
  const recent = await firstEventFrom(db, (await databaseNow(db)) - MARGIN_MS);
  if (recent !== null) return deliveryNumber(recent) - 1;
  const newest = await db
    .selectFrom("events")
    .select("seq")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return deliveryNumber(newest?.seq ?? 0);
}

/**
 * Binary search in one statement, because there is no index by time: numbers grow with it. Null: all events are earlier.
 */
async function firstEventFrom(db: Kysely<Tables>, ms: number): Promise<number | null> {
  const row = await db
    .withRecursive("search(low, high)", (cte) =>
      cte
        .selectFrom(
          cte
            .selectFrom("events")
            .select(["seq", "accepted_at"])
            .orderBy("seq", "desc")
            .limit(1)
            .as("newest"),
        )
        .select(({ selectFrom }) =>
          selectFrom("events")
            .select(({ fn }) => fn.min("seq").as("seq"))
            .where("seq", ">", 0)
            .$asScalar()
            .as("low"),
        )
        .select("newest.seq as high")
        .where("newest.accepted_at", ">=", ms)
        .unionAll(
          cte
            .selectFrom("search as s")
            .select((eb) => {
              // Not half of the sum, which no column holds where an event has an impossible number.
              const half = eb(eb.parens("s.high", "-", eb.ref("s.low")), "/", eb.lit(2));
              const middle = eb("s.low", "+", half);
              const isLate = eb(
                eb
                  .selectFrom("events as e")
                  .select("e.accepted_at")
                  .where("e.seq", ">=", middle)
                  .orderBy("e.seq")
                  .limit(1),
                ">=",
                ms,
              );
              const next = eb(middle, "+", eb.lit(1));
              return [
                eb.case().when(isLate).then(eb.ref("s.low")).else(next).end().as("low"),
                eb.case().when(isLate).then(middle).else(eb.ref("s.high")).end().as("high"),
              ];
            })
            .whereRef("s.low", "<", "s.high"),
        ),
    )
    .selectFrom("search")
    .select("high")
    .whereRef("low", "=", "high")
    .executeTakeFirst();
  return row?.high ?? null;
}
