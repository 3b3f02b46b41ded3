import type { Kysely } from "kysely";
import { endStateNumber } from "../../hot/kinds.ts";
import { deliveryNumber, UPDATE_ORDER_KEY } from "../../hot/numbers.ts";
import type { Tables } from "../../tables.ts";
import { ofWebhook, oldestPart } from "../log/webhook-parts.ts";
import { padded } from "../padded.ts";

/** How many buyers one statement names. */
const NAMED = 5000;

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
  /** Of each buyer; 0: none. */
  const newest = new Map<number | null, number>(buyers.map(({ buyer }) => [buyer, 0]));
  const keys = [...newest.keys()];
  const note = (rows: { order_key: number | null; newest: number }[]): void => {
    for (const { order_key: buyer, newest: seq } of rows) {
      const known = newest.get(buyer);
      if (known !== undefined) newest.set(buyer, Math.max(known, Number(seq)));
    }
  };
  const isLate = ({ seq, buyer }: (typeof buyers)[number]): boolean =>
    (newest.get(buyer) ?? 0) > seq;
  for (let from = 0; from < keys.length; from += NAMED) {
    const some = padded(keys.slice(from, from + NAMED));
    const open = (table: "leased" | "pending") =>
      newestIn(db.selectFrom(`${table} as d` as "ended as d"), first.seq) // Both tables have these columns.
        .where("d.webhook_no", "=", webhookNo)
        .where("d.order_key", "in", some);
    // In one statement: a delivery that is claimed meanwhile must be seen in one of them.
    note(await open("leased").unionAll(open("pending")).execute());
  }
  // A delivery's number is never lower than its event's.
  const range = { above: Math.max(since, deliveryNumber(first.seq)), below: null };
  while (!buyers.every(isLate)) {
    const part = await oldestPart(db, webhookNo, range);
    if (part === null) break;
    const delivered = newestIn(ofWebhook(db, webhookNo, part), first.seq).where(
      "d.state",
      "=",
      endStateNumber("delivered"),
    );
    // More buyers are not named: all of the part are read.
    note(
      await (
        keys.length > NAMED ? delivered : delivered.where("d.order_key", "in", padded(keys))
      ).execute(),
    );
    range.above = part.below - 1;
  }
  return new Set(buyers.filter(isLate).map(({ seq }) => seq));
}

/** The newest event of each buyer. */
function newestIn(rows: ReturnType<typeof ofWebhook>, aboveSeq: number) {
  return rows
    .select(({ fn }) => ["d.order_key", fn.max("d.event_seq").as("newest")])
    .where("d.event_seq", ">", aboveSeq)
    .groupBy("d.order_key");
}
