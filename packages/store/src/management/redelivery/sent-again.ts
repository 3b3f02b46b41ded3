import type { ExpressionBuilder, Kysely, Selectable } from "kysely";
import { isCountedAsGivenUp } from "../../hot/given-up-deliveries.ts";
import { endStateNumber, originNumber } from "../../hot/kinds.ts";
import { hourOf } from "../../port/attempt-counts.ts";
import type { Tables } from "../../tables.ts";
import { padded } from "../padded.ts";

type OfEnded = ExpressionBuilder<{ d: Tables["ended"] } & Tables, "d">;

const REDELIVERY = originNumber("redelivery");
const PLACES = ["ended", "leased", "pending"] as const;

/** Whether `d` was sent again, whatever became of that. */
export function wasSentAgain(eb: OfEnded) {
  return eb.or(PLACES.map((place) => eb.exists(laterOnes(eb, place))));
}

/** Whether `d` was sent again, and that arrived or is under way. */
export function arrivedLater(eb: OfEnded) {
  const delivered = eb.lit(endStateNumber("delivered"));
  return eb.or([
    eb.exists(laterOnes(eb, "ended").where("r.state", "=", delivered)),
    eb.exists(laterOnes(eb, "leased")),
    eb.exists(laterOnes(eb, "pending")),
  ]);
}

/** Later deliveries of the event of `d` to its webhook. */
function laterOnes({ selectFrom, lit }: OfEnded, place: (typeof PLACES)[number]) {
  return selectFrom(`${place} as r` as "ended as r") // All of these tables have these columns, but for the state.
    .select("r.seq")
    .whereRef("r.event_seq", "=", "d.event_seq")
    .whereRef("r.webhook_no", "=", "d.webhook_no")
    .whereRef("r.seq", ">", "d.seq")
    .where("r.origin", "=", lit(REDELIVERY));
}

/**
 * Deliveries that are sent again do not count as given up any more: if they are given up again, they are counted then.
 * Call it before the new ones are inserted, while their order is locked. All are of one webhook.
 */
export async function uncountGivenUp(
  trx: Kysely<Tables>,
  webhookNo: number,
  rows: readonly EndedOnce[],
): Promise<void> {
  const eventSeqs = [...new Set(rows.map((row) => row.event_seq))];
  const again = await sentBefore(trx, webhookNo, eventSeqs);
  const ended = new Map([...rows, ...again.ended].map((row) => [row.seq, row]));
  const newest = new Map<number, number>();
  for (const { event_seq, created_at } of [...again.ended, ...again.open]) {
    newest.set(event_seq, Math.max(newest.get(event_seq) ?? 0, created_at));
  }
  const byHour = new Map<number, number>();
  for (const { event_seq, state, reason, ended_at } of ended.values()) {
    const isCounted = state === endStateNumber("dead") && isCountedAsGivenUp(reason);
    // One that was sent again after its end was taken off the count then.
    if (!isCounted || ended_at <= (newest.get(event_seq) ?? 0)) continue;
    const hour = hourOf(ended_at);
    byHour.set(hour, (byHour.get(hour) ?? 0) + 1);
  }
  for (const [hour, count] of [...byHour].sort(([a], [b]) => a - b)) {
    await trx
      .updateTable("given_up")
      .set((eb) => ({ count: eb("count", "-", count) }))
      .where("webhook_no", "=", webhookNo)
      .where("hour", "=", hour)
      .where("count", ">=", count)
      .execute();
  }
}

export type EndedOnce = Pick<
  Selectable<Tables["ended"]>,
  "event_seq" | "seq" | "state" | "reason" | "ended_at"
>;

/** Redeliveries of these events to this webhook. */
async function sentBefore(
  trx: Kysely<Tables>,
  webhookNo: number,
  eventSeqs: readonly number[],
): Promise<{
  ended: (EndedOnce & { created_at: number })[];
  open: { event_seq: number; created_at: number }[];
}> {
  const from = (place: (typeof PLACES)[number]) =>
    trx
      .selectFrom(`${place} as r` as "ended as r")
      .select(["r.event_seq", "r.created_at"])
      .where("r.event_seq", "in", padded(eventSeqs))
      .where("r.webhook_no", "=", webhookNo)
      .where(({ eb, lit }) => eb("r.origin", "=", lit(REDELIVERY)));
  return {
    ended: await from("ended").select(["r.seq", "r.state", "r.reason", "r.ended_at"]).execute(),
    open: await from("leased").unionAll(from("pending")).execute(),
  };
}
