import type { Kysely } from "kysely";
import { endStateNumber } from "../../hot/kinds.ts";
import { deliveryNumber, UPDATE_ORDER_KEY } from "../../hot/numbers.ts";
import type { Tables } from "../../tables.ts";
import { inBuckets, oldestBuckets } from "../log/log-buckets.ts";
import { padded } from "../padded.ts";

/**
 * Returns the numbers of the events of which a later one about the same buyer has reached the webhook, or is on its way:
 * sent now, they would come after it. `since`: among ended deliveries only numbers above this are read.
 */
export async function outOfOrder(
  db: Kysely<Tables>,
  webhookNo: number,
  events: readonly { event_seq: number; order_key: number | null }[],
  since = 0,
): Promise<Set<number>> {
  const buyers = events.flatMap(({ event_seq: seq, order_key: buyer }) =>
    buyer === null || buyer === UPDATE_ORDER_KEY ? [] : [{ seq, buyer }],
  );
  const [first] = buyers;
  if (first === undefined) return new Set();
  const keys = padded([...new Set(buyers.map(({ buyer }) => buyer))]);
  const newest = new Map<number | null, number>();
  const inTable = (table: "ended" | "leased" | "pending") =>
    db
      .selectFrom(`${table} as d` as "ended as d") // All of these tables have these columns.
      .select(({ fn }) => ["d.order_key", fn.max("d.event_seq").as("newest")])
      .where("d.webhook_no", "=", webhookNo)
      .where("d.order_key", "in", keys)
      .where("d.event_seq", ">", first.seq)
      .groupBy("d.order_key");
  const note = (rows: { order_key: number | null; newest: number }[]): void => {
    for (const { order_key: buyer, newest: seq } of rows)
      newest.set(buyer, Math.max(newest.get(buyer) ?? 0, Number(seq)));
  };
  const isLate = ({ seq, buyer }: (typeof buyers)[number]): boolean =>
    (newest.get(buyer) ?? 0) > seq;
  // In one statement: a delivery that is claimed meanwhile must be seen in one of them.
  note(await inTable("leased").unionAll(inTable("pending")).execute());
  // A delivery's number is never lower than its event's.
  let above = Math.max(since, deliveryNumber(first.seq));
  while (!buyers.every(isLate)) {
    const window = await oldestBuckets(db, "ended", { above, below: null });
    if (window === null) break;
    note(
      await inTable("ended")
        .where(inBuckets("ended", window.buckets))
        .where("d.state", "=", endStateNumber("delivered"))
        .execute(),
    );
    above = window.below - 1;
  }
  return new Set(buyers.filter(isLate).map(({ seq }) => seq));
}
