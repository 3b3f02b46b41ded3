import type { Kysely, Selectable } from "kysely";
import { originNumber } from "../../hot/kinds.ts";
import { deliveryNumber, UPDATE_ORDER_KEY } from "../../hot/numbers.ts";
import { orderLock } from "../../hot/order-lock.ts";
import type { Tables } from "../../tables.ts";
import { databaseNow } from "../context.ts";

/** The same lock as in accepting, so that a redelivery and a new event about the same buyer agree on one order. */
export function orderLockOf({
  resource_id,
  order_key,
}: {
  resource_id: string;
  order_key: number | null;
}): number {
  return orderLock(resource_id, order_key ?? UPDATE_ORDER_KEY);
}

/** Leaves room for counting in 31 bits. */
const LEASES = 2 ** 26;

/**
 * Leaves out those whose event was erased or pruned meanwhile, and keeps the events of the others until the end of the
 * transaction: an erasure locks these rows, and pruning uses this time, so an event outlives its newest delivery.
 */
export async function withEvents<Row extends { event_seq: number }>(
  trx: Kysely<Tables>,
  rows: readonly Row[],
): Promise<Row[]> {
  if (rows.length === 0) return [];
  const eventSeqs = [...new Set(rows.map((row) => row.event_seq))].sort((a, b) => a - b);
  const touched = await trx
    .updateTable("events")
    .set({ touched_at: await databaseNow(trx) })
    .where("seq", "in", eventSeqs)
    .where("erased_at", "is", null)
    .returning("seq")
    .execute();
  const kept = new Set(touched.map(({ seq }) => seq));
  return rows.filter((row) => kept.has(row.event_seq));
}

/** Inserts new deliveries of events, which `withEvents` has kept, with these numbers. */
export async function insertAgain(
  trx: Kysely<Tables>,
  rows: readonly Pick<
    Selectable<Tables["ended"]>,
    "event_seq" | "webhook_no" | "kind" | "order_key"
  >[],
  numbers: readonly number[],
): Promise<void> {
  const now = await databaseNow(trx);
  await trx
    .insertInto("pending")
    .values(
      rows.map((row, index) => ({
        seq: deliveryNumber(numbers[index] ?? 0),
        event_seq: row.event_seq,
        webhook_no: row.webhook_no,
        kind: row.kind,
        order_key: row.order_key,
        // Begins at a random number: see `firstLease` of accepting.
        lease: now % LEASES,
        due_at: now,
        origin: originNumber("redelivery"),
        created_at: now,
      })),
    )
    .execute();
}
