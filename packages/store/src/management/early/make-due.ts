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

export async function placesAfter(
  db: Kysely<Tables>,
  webhookNo: number,
  now: number,
  after: WaitingPlace,
  limit: number,
  { onlyUnpulled }: { onlyUnpulled: boolean },
) {
  let query = notDue(db, webhookNo, now)
    .select(["due_at as dueAt", "seq", "attempts", "blocked"])
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("due_at", "seq"), ">", tuple(after.dueAt, after.seq)),
    );
  if (onlyUnpulled) {
    query = query
      .where("planned_at", "is", null)
      .where(({ eb, or, ref }) =>
        or([eb("asked_until", "is", null), eb("asked_until", "<", ref("due_at"))]),
      );
  }
  return await query.orderBy("due_at").orderBy("seq").limit(limit).execute();
}
