import type { Kysely, Selectable, Transaction } from "kysely";
import { originNumber } from "../../hot/kinds.ts";
import { deliveryNumber, UPDATE_ORDER_KEY } from "../../hot/numbers.ts";
import { orderLock } from "../../hot/order-lock.ts";
import type { AuditValues } from "../../port/audit.ts";
import type { Tables } from "../../tables.ts";
import { webhookEntry } from "../audit/audit-values.ts";
import type { ActingContext } from "../audit/audit-write.ts";
import { databaseNow, type ManagementContext } from "../context.ts";
import type { WebhookRow } from "../webhooks/webhook-row.ts";

type Again = Pick<Selectable<Tables["ended"]>, "event_seq" | "webhook_no" | "kind" | "order_key">;

export interface ReplayStep<Found> {
  afterSeq: number;
  found: readonly Found[];
  /** Null: these are the last. */
  nextSeq: number | null;
  /** The request for the replay, for the audit log. */
  asked: AuditValues;
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

/** Sends what a step of a replay found: `still` is that of `sendAgain`. Only the first of many steps adds an audit row. */
export async function replayStep<Found extends Pick<Again, "order_key">>(
  { transact, dialect, deliveriesReady, writeAudit }: ActingContext,
  webhook: WebhookRow,
  { afterSeq, found, nextSeq, asked }: ReplayStep<Found>,
  still: (trx: Kysely<Tables>) => Promise<readonly Again[]>,
): Promise<{ sent: number; nextSeq: number | null }> {
  const isLast = nextSeq === null;
  if (found.length === 0 && (isLast || afterSeq > 0)) return { sent: 0, nextSeq };
  const sent = await transact(async (trx) => {
    const made = await sendAgain(trx, dialect, webhook.resource_id, found, () => still(trx));
    if (afterSeq === 0 && (made.length > 0 || !isLast))
      await writeAudit(trx, [webhookEntry(webhook, "webhook.replay", { after: asked })]);
    return made.length;
  });
  if (sent > 0) deliveriesReady();
  return { sent, nextSeq };
}

/**
 * Makes new deliveries of events of a resource, under the locks of accepting: so these and new events about the same
 * buyers agree on one order. `still` reads under the locks which of `found` are still to be sent, because another call
 * may have sent some of them, and keeps their events (`withEvents`). Returns the new numbers.
 */
export async function sendAgain(
  trx: Transaction<Tables>,
  { takeInOrder }: ManagementContext["dialect"],
  resourceId: string,
  found: readonly Pick<Again, "order_key">[],
  still: () => Promise<readonly Again[]>,
): Promise<number[]> {
  if (found.length === 0) return [];
  const locks = found.map(({ order_key }) => orderLock(resourceId, order_key ?? UPDATE_ORDER_KEY));
  const numbers = await takeInOrder(trx, locks, found.length);
  const rows = await still();
  if (rows.length === 0) return [];
  const made = numbers.slice(0, rows.length).map((number) => deliveryNumber(number));
  const now = await databaseNow(trx);
  await trx
    .insertInto("pending")
    .values(
      rows.map((row, index) => ({
        seq: made[index] ?? 0,
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
  return made;
}
