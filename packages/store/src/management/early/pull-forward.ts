import type { Kysely } from "kysely";
import type { DeliveryStore, PullPace } from "../../port/deliveries.ts";
import type { Tables } from "../../tables.ts";
import { databaseNow, type ManagementContext } from "../context.ts";
import { makeDue, placesAfter, unpulledAfter } from "./make-due.ts";

/** How many webhooks one call handles. */
const TOGETHER = 50;
const STEP_MS = 1000;
const MOST_DOUBLINGS = 20;

/** A person resumed the webhook: all waiting deliveries become due. */
export async function beginPullByPerson(
  trx: Kysely<Tables>,
  webhookNo: number,
  now: number,
): Promise<void> {
  const pull = { by_person: 1, began_at: now, next_at: now, after_due_at: now, after_seq: 0 };
  await trx
    .insertInto("pulls")
    .values({ webhook_no: webhookNo, ...pull })
    .onConflict((conflict) => conflict.column("webhook_no").doUpdateSet(pull))
    .execute();
}

export function createPullForward(context: ManagementContext): DeliveryStore["pullForward"] {
  const { reader } = context;
  return async (limit, pace) => {
    const due = await reader
      .selectFrom("pulls as p")
      .innerJoin("webhooks as w", "w.no", "p.webhook_no")
      .select("w.id")
      .where(({ eb, fn }) => eb("p.next_at", "<=", fn<number>("mh_now", [])))
      .orderBy("p.next_at")
      .limit(TOGETHER)
      .execute();
    let pulled = 0;
    for (const { id } of due) pulled += await pullStep(context, id, limit, pace);
    if (pulled > 0) context.deliveriesReady();
    return due.length;
  };
}

/**
 * Runs one step of one webhook; returns how many were made due. It ends when there are no more, or the webhook fails
 * again.
 */
export async function pullStep(
  { transact, dialect }: ManagementContext,
  webhookId: string,
  limit: number,
  pace: PullPace,
): Promise<number> {
  return await transact(async (trx) => {
    // Another instance may be working on it.
    await dialect.lockRows(trx, "webhooks", [webhookId]);
    const now = await databaseNow(trx);
    const pull = await trx
      .selectFrom("pulls as p")
      .innerJoin("webhooks as w", "w.no", "p.webhook_no")
      .leftJoin("webhook_health as h", "h.webhook_no", "w.no")
      .selectAll("p")
      .select(["w.state", "w.deleted_at", "h.failing_since"])
      .where("w.id", "=", webhookId)
      .where("p.next_at", "<=", now)
      .executeTakeFirst();
    if (pull === undefined) return 0;
    const byPerson = pull.by_person === 1;
    const wanted = byPerson || (pull.state === "active" && pull.failing_since === null);
    const most = byPerson ? limit : Math.min(limit, portion(pace, now - pull.began_at));
    const after = { dueAt: pull.after_due_at, seq: pull.after_seq };
    const { places, end } =
      wanted && pull.deleted_at === null
        ? await (byPerson ? placesAfter : unpulledAfter)(trx, pull.webhook_no, now, after, most)
        : { places: [], end: null };
    await makeDue(
      trx,
      places.map(({ seq }) => seq),
      // After a resume all at the same moment, so that they are claimed in the order of their numbers.
      { now, dueAt: byPerson ? pull.began_at : now, unlessAsked: !byPerson },
    );
    if (end === null) {
      await trx.deleteFrom("pulls").where("webhook_no", "=", pull.webhook_no).execute();
    } else {
      await trx
        .updateTable("pulls")
        .set({
          after_due_at: end.dueAt,
          after_seq: end.seq,
          next_at: byPerson || places.length === 0 ? pull.next_at : now + STEP_MS,
        })
        .where("webhook_no", "=", pull.webhook_no)
        .execute();
    }
    return places.length;
  });
}

function portion({ perSecond, doubleEveryMs }: PullPace, sinceMs: number): number {
  const doublings = Math.min(MOST_DOUBLINGS, Math.floor(sinceMs / doubleEveryMs));
  return Math.max(1, Math.round(perSecond * 2 ** doublings));
}
