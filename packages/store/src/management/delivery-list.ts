import { deliveryId, eventId, parseDeliveryId, parseEventId } from "@markethook/protocol";
import type { Kysely } from "kysely";
import { endStateOf, eventNameOf, originOf } from "../hot/kinds.ts";
import { UPDATE_ORDER_KEY } from "../hot/numbers.ts";
import type { DeliveryFilter, DeliverySummary, ShownState } from "../port/delivery-log.ts";
import type { Tables } from "../tables.ts";
import {
  type LogRow,
  type Page,
  placesOf,
  type RowFilter,
  selectLogRows,
} from "./delivery-rows.ts";
import { bucket, bucketsOf, inBuckets } from "./log-buckets.ts";
import { padded } from "./padded.ts";
import { examinedDownTo, firstNumberAfter, firstNumberFrom } from "./log-bounds.ts";

/** Webhooks that one page of a filtered log goes through, besides those with open deliveries. */
const MOST_SCOPES = 200;
/** A filtered log is looked through in portions of about this many ended deliveries, and of each webhook at least so many. */
const EXAMINED = 20_000;
const LEAST_EXAMINED = 100;
/** A page that finds little goes on looking for so long, and then says where to go on. */
const LOOKING_MS = 200;

interface DeliveryPage {
  items: DeliverySummary[];
  nextSeq: number | null;
}

/**
 * A page of the log, newest first, over the three tables a delivery can stand in. For an owner or a resource it
 * goes through the index by webhook, down to where the page is surely full, so that a small owner in a large log costs
 * little.
 */
export async function listDeliveries(
  db: Kysely<Tables>,
  asked: DeliveryFilter,
  page: Page,
): Promise<DeliveryPage> {
  if (asked.deliveryId !== undefined || asked.eventId !== undefined) {
    return await searchDeliveries(db, asked, page);
  }
  const floor = asked.from === undefined ? 0 : (await firstNumberFrom(db, asked.from)) - 1;
  const end = asked.to === undefined ? null : await firstNumberAfter(db, asked.to);
  let beforeSeq = lower(page.beforeSeq, end);
  const until = performance.now() + LOOKING_MS;
  const items: DeliverySummary[] = [];
  for (;;) {
    const part = { ...page, beforeSeq, limit: page.limit - items.length };
    const { rows, nextSeq } = await lookThrough(db, asked, part, floor);
    items.push(...(await withLastAttempt(db, rows)).map(summary));
    const isLong = page.examined !== undefined || performance.now() > until;
    if (nextSeq === null || items.length === page.limit || isLong) return { items, nextSeq };
    beforeSeq = nextSeq;
  }
}

/** The next rows down to as many as it may look at; `nextSeq` null: that was the end. */
async function lookThrough(
  db: Kysely<Tables>,
  asked: DeliveryFilter,
  page: Page,
  floor: number,
): Promise<{ rows: LogRow[]; nextSeq: number | null }> {
  const { beforeSeq } = page;
  const selective = isSelective(asked);
  const all = await bucketsOf(db, "done", { above: null, below: beforeSeq });
  const most = selective ? MOST_SCOPES : page.limit;
  const { scopes, leftOut } = await webhookScopes(db, asked, { beforeSeq, most, buckets: all });
  if (scopes?.length === 0) return { rows: [], nextSeq: null };
  let examined = selective ? leftOut : 0;
  if (selective || (scopes !== null && placesOf(asked).includes("done"))) {
    const share = Math.floor((page.examined ?? EXAMINED) / (scopes?.length ?? 1));
    const each = selective ? Math.max(LEAST_EXAMINED, share) : page.limit;
    examined = Math.max(examined, await examinedDownTo(db, scopes, beforeSeq, each, all));
  }
  const above = Math.max(floor, examined);
  const buckets = await bucketsOf(db, "done", { above, below: beforeSeq });
  const rows = await selectLogRows(db, { ...asked, aboveSeq: above }, scopes, page, buckets);
  if (rows.length === page.limit) return { rows, nextSeq: rows.at(-1)?.seq ?? null };
  return { rows, nextSeq: examined > floor ? examined + 1 : null };
}

/** Those of these numbers that are there, in any order. */
export async function deliveriesByNumber(
  db: Kysely<Tables>,
  seqs: readonly number[],
): Promise<(DeliverySummary & { webhookNo: number })[]> {
  if (seqs.length === 0) return [];
  const page = { beforeSeq: null, limit: seqs.length };
  const rows = await selectLogRows(db, { ownerId: null, seqs }, null, page, []);
  return (await withLastAttempt(db, rows)).map((row) =>
    Object.assign(summary(row), { webhookNo: row.webhook_no }),
  );
}

/** By an id, which the tables find at once, whoever's it is. */
async function searchDeliveries(
  db: Kysely<Tables>,
  asked: DeliveryFilter,
  page: Page,
): Promise<DeliveryPage> {
  const filter: RowFilter = { ...asked };
  if (asked.deliveryId !== undefined) {
    const id = parseDeliveryId(asked.deliveryId);
    if (id === null) return { items: [], nextSeq: null };
    filter.seqs = [id.seq];
  }
  if (asked.eventId !== undefined) {
    const id = parseEventId(asked.eventId);
    if (id === null) return { items: [], nextSeq: null };
    filter.event = id;
  }
  const rows = await selectLogRows(db, filter, null, page, []);
  const items = (await withLastAttempt(db, rows))
    .map(summary)
    .filter((item) => (asked.deliveryId ?? item.deliveryId) === item.deliveryId);
  return { items, nextSeq: items.length < page.limit ? null : (items.at(-1)?.seq ?? null) };
}

/** A filter by which a page may look through many ended deliveries and find little. */
function isSelective(filter: DeliveryFilter): boolean {
  if (!placesOf(filter).includes("done")) return false;
  const { eventName, state, status, userId, from, to } = filter;
  return [eventName, state, status, userId, from, to].some((part) => part !== undefined);
}

function lower(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

/**
 * Webhook numbers to go through; null is everything. Deleted webhooks keep their log, and an owner can have had
 * thousands: those without a delivery are left out, and of those whose deliveries have all ended only the `most` with
 * the newest ones, because no other can be on an unfiltered page of that length. `leftOut` is the newest
 * delivery of the rest; 0 if there is none.
 */
async function webhookScopes(
  db: Kysely<Tables>,
  filter: DeliveryFilter,
  {
    beforeSeq,
    most,
    buckets,
  }: { beforeSeq: number | null; most: number; buckets: readonly number[] },
): Promise<{ scopes: number[] | null; leftOut: number }> {
  const { ownerId, resourceId, webhookId } = filter;
  if (ownerId === null && resourceId === undefined && webhookId === undefined) {
    return { scopes: null, leftOut: 0 };
  }
  let query = db.selectFrom("webhooks as w").select(({ selectFrom }) => {
    let newest = selectFrom("done as d")
      .select("d.seq")
      .whereRef("d.webhook_no", "=", "w.no")
      .where(inBuckets("done", buckets))
      .orderBy(bucket("done"), "desc");
    if (beforeSeq !== null) newest = newest.where("d.seq", "<", beforeSeq);
    return [
      "w.no",
      newest.orderBy("d.seq", "desc").limit(1).as("newest"),
      selectFrom("live")
        .select("live.seq")
        .whereRef("live.webhook_no", "=", "w.no")
        .limit(1)
        .as("live"),
      selectFrom("waiting")
        .select("waiting.seq")
        .whereRef("waiting.webhook_no", "=", "w.no")
        .limit(1)
        .as("waiting"),
    ];
  });
  if (ownerId !== null) query = query.where("w.owner_id", "=", ownerId);
  if (resourceId !== undefined) query = query.where("w.resource_id", "=", resourceId);
  if (webhookId !== undefined) query = query.where("w.id", "=", webhookId);
  const rows = await query.execute();
  const isOpen = (row: (typeof rows)[number]): boolean => row.live !== null || row.waiting !== null;
  const ended = rows
    .filter((row) => !isOpen(row) && row.newest !== null)
    .sort((a, b) => (b.newest ?? 0) - (a.newest ?? 0));
  const scopes = [...rows.filter(isOpen), ...ended.slice(0, most)].map((row) => row.no);
  return { scopes, leftOut: ended[most]?.newest ?? 0 };
}

/** With what became of the newest attempt of deliveries that are still open. */
async function withLastAttempt(db: Kysely<Tables>, rows: LogRow[]): Promise<LogRow[]> {
  const tried = rows
    .filter((row) => row.attempts > 0 && row.outcome === null)
    .map((row) => row.seq);
  if (tried.length === 0) return rows;
  const attempts = await db
    .selectFrom("attempts")
    .select(["delivery_seq", "outcome", "status"])
    .where("delivery_seq", "in", padded(tried))
    .orderBy("number")
    .execute();
  const last = new Map(attempts.map((row) => [row.delivery_seq, row]));
  return rows.map((row) => {
    const attempt = last.get(row.seq);
    return attempt === undefined
      ? row
      : { ...row, outcome: attempt.outcome, status: attempt.status };
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
