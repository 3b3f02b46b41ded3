import { deliveryId, eventId } from "@markethook/protocol";
import type { Kysely } from "kysely";
import { endStateOf, eventNameOf, originOf } from "../hot/kinds.ts";
import { UPDATE_ORDER_KEY } from "../hot/numbers.ts";
import type { DeliveryFilter, DeliverySummary, ShownState } from "../port/delivery-log.ts";
import type { Tables } from "../tables.ts";
import { type LogRow, type Page, selectLogRows } from "./delivery-rows.ts";

/**
 * A page of the log, newest first, over the three tables a delivery can stand in. For an owner or a resource it
 * goes webhook by webhook through the index and merges, so that a small owner in a large log costs little.
 */
export async function listDeliveries(
  db: Kysely<Tables>,
  filter: DeliveryFilter,
  page: Page,
): Promise<DeliverySummary[]> {
  const found: LogRow[] = [];
  for (const webhookNo of await webhookScopes(db, filter)) {
    found.push(...(await selectLogRows(db, filter, webhookNo, page)));
  }
  const rows = found.sort((a, b) => b.seq - a.seq).slice(0, page.limit);
  return await withLastAttempt(db, rows.map(summary));
}

/** Webhook numbers to go through; `[null]` is everything. Deleted webhooks keep their log. */
async function webhookScopes(
  db: Kysely<Tables>,
  filter: DeliveryFilter,
): Promise<(number | null)[]> {
  if (
    filter.ownerId === null &&
    filter.resourceId === undefined &&
    filter.webhookId === undefined
  ) {
    return [null];
  }
  let query = db.selectFrom("webhooks").select("no");
  if (filter.ownerId !== null) query = query.where("owner_id", "=", filter.ownerId);
  if (filter.resourceId !== undefined) query = query.where("resource_id", "=", filter.resourceId);
  if (filter.webhookId !== undefined) query = query.where("id", "=", filter.webhookId);
  return (await query.orderBy("no").execute()).map((row) => row.no);
}

/** What became of the newest attempt of deliveries that are still open. */
async function withLastAttempt(
  db: Kysely<Tables>,
  rows: DeliverySummary[],
): Promise<DeliverySummary[]> {
  const tried = rows
    .filter((row) => row.attempts > 0 && row.lastOutcome === null)
    .map((row) => row.seq);
  if (tried.length === 0) return rows;
  const attempts = await db
    .selectFrom("attempts")
    .select(["delivery_seq", "outcome", "status"])
    .where("delivery_seq", "in", tried)
    .orderBy("number")
    .execute();
  const last = new Map(attempts.map((row) => [row.delivery_seq, row]));
  return rows.map((row) => {
    const attempt = last.get(row.seq);
    return attempt === undefined
      ? row
      : { ...row, lastOutcome: attempt.outcome, lastStatus: attempt.status };
  });
}

function summary(row: LogRow): DeliverySummary {
  const state = shownState(row);
  return {
    seq: row.seq,
    deliveryId: deliveryId({ seq: row.seq, tag: row.tag }),
    eventId: eventId({ seq: row.event_seq, tag: row.tag }),
    eventName: eventNameOf(row.kind),
    eventTime: row.time,
    webhookId: row.webhook_id,
    resourceId: row.resource_id,
    userId: row.order_key === UPDATE_ORDER_KEY ? null : row.order_key,
    state,
    reason: row.reason,
    origin: originOf(row.origin),
    attempts: row.attempts,
    lastOutcome: row.outcome,
    lastStatus: row.status,
    dueAt: state === "pending" ? row.due_at : null,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  };
}

function shownState(row: LogRow): ShownState {
  if (row.state !== null) return endStateOf(row.state);
  if (row.due_at === null) return "leased";
  if (row.webhook_state !== "active") return "held";
  return row.behind === 1 ? "waiting" : "pending";
}
