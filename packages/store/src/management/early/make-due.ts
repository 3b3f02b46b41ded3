import type { Kysely } from "kysely";
import { SUSPECT_ALONE_FROM } from "../../hot/suspicion.ts";
import { NEWEST_ATTEMPTS } from "../../port/delivery-log.ts";
import type { Tables } from "../../tables.ts";
import { padded } from "../padded.ts";

/** A position among a webhook's waiting deliveries in the order of their due times. */
export interface WaitingPlace {
  dueAt: number;
  seq: number;
}

/**
 * Makes waiting deliveries due before their time. The planned time is kept, so an early attempt uses up no step of the
 * schedule. A delivery that was never sent has no planned time: its next attempt is its first one at any time.
 */
export async function makeDue(
  trx: Kysely<Tables>,
  seqs: readonly number[],
  { now, dueAt, unlessAsked }: { now: number; dueAt: number; unlessAsked: boolean },
): Promise<void> {
  if (seqs.length === 0) return;
  await trx
    .updateTable("pending")
    .set(({ eb, ref, val }) => ({
      planned_at: eb
        .case()
        .when("attempts", "=", 0)
        .then(ref("planned_at"))
        .when("planned_at", ">", ref("due_at"))
        .then(ref("planned_at"))
        .else(ref("due_at"))
        .end(),
      due_at: unlessAsked
        ? eb
            .case()
            .when("asked_until", ">", now)
            .then(ref("asked_until"))
            .else(val(dueAt))
            .end()
            .$notNull()
        : dueAt,
    }))
    .where("seq", "in", padded(seqs))
    .where("due_at", ">", now)
    .execute();
  await dropOldAttempts(trx, seqs);
}

/**
 * The schedule limits all other attempts, and only the newest ones are shown. Without this, one delivery that is sent
 * before its time again and again would fill the disk.
 */
async function dropOldAttempts(trx: Kysely<Tables>, seqs: readonly number[]): Promise<void> {
  await trx
    .deleteFrom("attempts")
    .where("delivery_seq", "in", padded(seqs))
    .where((eb) =>
      eb(
        "number",
        "<=",
        eb
          .selectFrom("pending")
          .whereRef("pending.seq", "=", "attempts.delivery_seq")
          .select(({ eb: inner, ref }) => inner(ref("attempts"), "-", NEWEST_ATTEMPTS).as("last")),
      ),
    )
    .execute();
}

/**
 * Reads a webhook's deliveries that are not due yet, the soonest first. Quarantined ones can only be sent early one by
 * one.
 */
export function notDue(db: Kysely<Tables>, webhookNo: number, now: number) {
  return db
    .selectFrom("pending")
    .where("webhook_no", "=", webhookNo)
    .where("due_at", ">", now)
    .where("suspicion", "<=", SUSPECT_ALONE_FROM);
}

function afterPlace(db: Kysely<Tables>, webhookNo: number, now: number, after: WaitingPlace) {
  return notDue(db, webhookNo, now).where(({ eb, refTuple, tuple }) =>
    eb(refTuple("due_at", "seq"), ">", tuple(after.dueAt, after.seq)),
  );
}

/** The next deliveries. `end`: how far it has read; null: to the last one. */
export async function placesAfter(
  db: Kysely<Tables>,
  webhookNo: number,
  now: number,
  after: WaitingPlace,
  limit: number,
) {
  const places = await afterPlace(db, webhookNo, now, after)
    .select(["due_at as dueAt", "seq", "attempts", "blocked"])
    .orderBy("due_at")
    .orderBy("seq")
    .limit(limit)
    .execute();
  return { places, end: (places.length === limit ? places.at(-1) : null) ?? null };
}

/** How many deliveries a step reads, past those that were made due before. On SQLite reports wait for it. */
const EXAMINED = 10_000;

/** As above, of those that were not made due since their last attempt, and that their receiver did not ask to wait. */
export async function unpulledAfter(
  db: Kysely<Tables>,
  webhookNo: number,
  now: number,
  after: WaitingPlace,
  limit: number,
): Promise<{ places: WaitingPlace[]; end: WaitingPlace | null }> {
  const [last] = await afterPlace(db, webhookNo, now, after)
    .select(["due_at as dueAt", "seq"])
    .orderBy("due_at")
    .orderBy("seq")
    .offset(EXAMINED - 1)
    .limit(1)
    .execute();
  const all = afterPlace(db, webhookNo, now, after)
    .select(["due_at as dueAt", "seq"])
    .where("planned_at", "is", null)
    .where(({ eb, or, ref }) =>
      or([eb("asked_until", "is", null), eb("asked_until", "<", ref("due_at"))]),
    );
  const some =
    last === undefined
      ? all
      : all.where(({ eb, refTuple, tuple }) =>
          eb(refTuple("due_at", "seq"), "<=", tuple(last.dueAt, last.seq)),
        );
  const places = await some.orderBy("due_at").orderBy("seq").limit(limit).execute();
  return { places, end: (places.length === limit ? places.at(-1) : last) ?? null };
}
