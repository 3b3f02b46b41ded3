import { deliveryId, eventId } from "@markethook/protocol";
import { expressionBuilder, type Kysely } from "kysely";
import { endStateNumber, endStateOf, eventNameOf, kindOf, originOf } from "../hot/kinds.ts";
import { UPDATE_ORDER_KEY } from "../hot/numbers.ts";
import type { EndState } from "../port/deliveries.ts";
import type { DeliveryFilter, DeliverySummary, ShownState } from "../port/delivery-log.ts";
import type { Tables } from "../tables.ts";

export interface Page {
  /** Exclusive; null: from the newest. */
  beforeSeq: number | null;
  limit: number;
}

const END_STATES: readonly ShownState[] = ["delivered", "dead", "cancelled"];

/**
 * A page of the log, newest first, over the three tables a delivery can stand in. For an owner or a resource it
 * goes webhook by webhook through the index and merges, so that a small owner in a large log costs little.
 */
export async function listDeliveries(
  db: Kysely<Tables>,
  filter: DeliveryFilter,
  page: Page,
): Promise<DeliverySummary[]> {
  const scopes = await webhookScopes(db, filter);
  const found: DeliverySummary[] = [];
  for (const webhookNo of scopes) {
    const parts = await Promise.all([
      wanted(filter, "done") ? listDone(db, filter, webhookNo, page) : [],
      wanted(filter, "live") ? listLive(db, filter, webhookNo, page) : [],
      wanted(filter, "waiting") ? listWaiting(db, filter, webhookNo, page) : [],
    ]);
    found.push(...parts.flat());
  }
  return found.sort((a, b) => b.seq - a.seq).slice(0, page.limit);
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

function wanted(filter: DeliveryFilter, table: "done" | "live" | "waiting"): boolean {
  const { state } = filter;
  if (filter.status !== undefined && table !== "done") return false;
  if (state === undefined) return true;
  if (END_STATES.includes(state)) return table === "done";
  return state === "leased" ? table === "live" : table === "waiting";
}

interface CommonFilter {
  orderKey: number | undefined;
  kind: number | undefined;
}

function common(filter: DeliveryFilter): CommonFilter {
  return {
    orderKey: filter.userId,
    kind: filter.eventName === undefined ? undefined : kindOf(filter.eventName),
  };
}

async function listDone(
  db: Kysely<Tables>,
  filter: DeliveryFilter,
  webhookNo: number | null,
  page: Page,
): Promise<DeliverySummary[]> {
  const { orderKey, kind } = common(filter);
  let query = db
    .selectFrom("done as d")
    .innerJoin("events as e", "e.seq", "d.event_seq")
    .innerJoin("webhooks as w", "w.no", "d.webhook_no")
    .selectAll("d")
    .select(["e.tag", "e.time", "w.id as webhook_id", "w.resource_id"]);
  if (webhookNo !== null) query = query.where("d.webhook_no", "=", webhookNo);
  if (page.beforeSeq !== null) query = query.where("d.seq", "<", page.beforeSeq);
  if (orderKey !== undefined) query = query.where("d.order_key", "=", orderKey);
  if (kind !== undefined) query = query.where("d.kind", "=", kind);
  if (filter.status !== undefined) query = query.where("d.status", "=", filter.status);
  if (filter.state !== undefined)
    query = query.where("d.state", "=", endStateNumber(filter.state as EndState)); // `wanted` let only end states through.
  if (filter.from !== undefined) query = query.where("d.created_at", ">=", filter.from);
  if (filter.to !== undefined) query = query.where("d.created_at", "<", filter.to);
  const rows = await query.orderBy("d.seq", "desc").limit(page.limit).execute();
  return rows.map((row) => ({
    ...summary(row),
    state: endStateOf(row.state),
    reason: row.reason,
    lastOutcome: row.outcome,
    lastStatus: row.status,
    dueAt: null,
    endedAt: row.ended_at,
  }));
}

async function listLive(
  db: Kysely<Tables>,
  filter: DeliveryFilter,
  webhookNo: number | null,
  page: Page,
): Promise<DeliverySummary[]> {
  const { orderKey, kind } = common(filter);
  let query = db
    .selectFrom("live as d")
    .innerJoin("events as e", "e.seq", "d.event_seq")
    .innerJoin("webhooks as w", "w.no", "d.webhook_no")
    .selectAll("d")
    .select(["e.tag", "e.time", "w.id as webhook_id", "w.resource_id"]);
  if (webhookNo !== null) query = query.where("d.webhook_no", "=", webhookNo);
  if (page.beforeSeq !== null) query = query.where("d.seq", "<", page.beforeSeq);
  if (orderKey !== undefined) query = query.where("d.order_key", "=", orderKey);
  if (kind !== undefined) query = query.where("d.kind", "=", kind);
  if (filter.from !== undefined) query = query.where("d.created_at", ">=", filter.from);
  if (filter.to !== undefined) query = query.where("d.created_at", "<", filter.to);
  const rows = await query.orderBy("d.seq", "desc").limit(page.limit).execute();
  return await withLastAttempt(
    db,
    rows.map((row) => ({ ...open(row), state: "leased" as const, dueAt: null })),
  );
}

async function listWaiting(
  db: Kysely<Tables>,
  filter: DeliveryFilter,
  webhookNo: number | null,
  page: Page,
): Promise<DeliverySummary[]> {
  const { orderKey, kind } = common(filter);
  let query = db
    .selectFrom("waiting as d")
    .innerJoin("events as e", "e.seq", "d.event_seq")
    .innerJoin("webhooks as w", "w.no", "d.webhook_no")
    .selectAll("d")
    .select(["e.tag", "e.time", "w.id as webhook_id", "w.resource_id", "w.state as webhook_state"])
    .select(behindAnother.as("behind"));
  if (webhookNo !== null) query = query.where("d.webhook_no", "=", webhookNo);
  if (page.beforeSeq !== null) query = query.where("d.seq", "<", page.beforeSeq);
  if (orderKey !== undefined) query = query.where("d.order_key", "=", orderKey);
  if (kind !== undefined) query = query.where("d.kind", "=", kind);
  if (filter.from !== undefined) query = query.where("d.created_at", ">=", filter.from);
  if (filter.to !== undefined) query = query.where("d.created_at", "<", filter.to);
  if (filter.state === "held") query = query.where("w.state", "<>", "active");
  else if (filter.state !== undefined) {
    query = query.where("w.state", "=", "active");
    query =
      filter.state === "waiting"
        ? query.where(behindAnother)
        : query.where(waitingRow.not(behindAnother));
  }
  const rows = await query.orderBy("d.seq", "desc").limit(page.limit).execute();
  return await withLastAttempt(
    db,
    rows.map((row) => {
      const state = row.webhook_state !== "active" ? "held" : row.behind ? "waiting" : "pending";
      return { ...open(row), state, dueAt: state === "pending" ? row.due_at : null };
    }),
  );
}

const waitingRow = expressionBuilder<Tables & { d: Tables["waiting"] }, "d">();

/** Derived, never stored: an earlier delivery of the same (webhook, order key) is open. */
const behindAnother = waitingRow.or([
  waitingRow.exists(
    waitingRow
      .selectFrom("live as earlier")
      .select("earlier.seq")
      .whereRef("earlier.webhook_no", "=", "d.webhook_no")
      .whereRef("earlier.order_key", "=", "d.order_key")
      .whereRef("earlier.seq", "<", "d.seq"),
  ),
  waitingRow.exists(
    waitingRow
      .selectFrom("waiting as earlier")
      .select("earlier.seq")
      .whereRef("earlier.webhook_no", "=", "d.webhook_no")
      .whereRef("earlier.order_key", "=", "d.order_key")
      .whereRef("earlier.seq", "<", "d.seq"),
  ),
]);

/** What became of the newest attempt of deliveries that are still open. */
async function withLastAttempt(
  db: Kysely<Tables>,
  rows: DeliverySummary[],
): Promise<DeliverySummary[]> {
  const tried = rows.filter((row) => row.attempts > 0).map((row) => row.seq);
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

interface CommonRow {
  seq: number;
  event_seq: number;
  kind: number;
  order_key: number | null;
  attempts: number;
  origin: number;
  created_at: number;
  tag: string;
  time: number;
  webhook_id: string;
  resource_id: string;
}

function summary(row: CommonRow) {
  return {
    seq: row.seq,
    deliveryId: deliveryId({ seq: row.seq, tag: row.tag }),
    eventId: eventId({ seq: row.event_seq, tag: row.tag }),
    eventName: eventNameOf(row.kind),
    eventTime: row.time,
    webhookId: row.webhook_id,
    resourceId: row.resource_id,
    userId: row.order_key === null || row.order_key === UPDATE_ORDER_KEY ? null : row.order_key,
    origin: originOf(row.origin),
    attempts: row.attempts,
    createdAt: row.created_at,
  };
}

function open(row: CommonRow) {
  return {
    ...summary(row),
    reason: null,
    lastOutcome: null,
    lastStatus: null,
    endedAt: null,
  };
}
