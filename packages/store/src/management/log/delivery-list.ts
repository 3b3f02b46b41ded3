import { deliveryId, eventId, parseDeliveryId, parseEventId } from "@markethook/protocol";
import type { Kysely } from "kysely";
import { endStateOf, eventNameOf, kindOf, originOf } from "../../hot/kinds.ts";
import { UPDATE_ORDER_KEY } from "../../hot/numbers.ts";
import type {
  DeliveryFilter,
  DeliveryPage,
  DeliverySummary,
  ShownState,
} from "../../port/delivery-log.ts";
import type { LogPage, LogPosition } from "../../port/log-page.ts";
import type { Tables } from "../../tables.ts";
import {
  type LogRow,
  placesOf,
  type RowFilter,
  selectLogRows,
  waitsForFew,
} from "./delivery-rows.ts";
import { downTo, examinedDownTo, firstNumberAfter, firstNumberFrom } from "./log-bounds.ts";
import { bucketsAbove, newestBuckets, type Window } from "./log-buckets.ts";
import { type LogScope, logScope, scopesIn } from "./log-scopes.ts";
import { lower, pageInParts } from "./page-in-parts.ts";
import { readableOnly } from "../readable.ts";
import { padded } from "../padded.ts";

/** How many webhooks one pass over a filtered log covers, besides those with open deliveries. */
const MOST_FILTERED = 200;
/** A log is read in portions of about this many rows, and at least this many of each webhook. */
const EXAMINED = 20_000;
const LEAST_EXAMINED = 100;

/**
 * A page of the log over the three tables of deliveries. For an owner or a resource a part of it is some buckets of the
 * index by webhook, so a small owner in a large log costs little.
 */
export async function listDeliveries(
  db: Kysely<Tables>,
  asked: DeliveryFilter,
  page: LogPosition,
): Promise<DeliveryPage> {
  if (asked.deliveryId !== undefined || asked.eventId !== undefined) {
    return await deliveriesByIds(db, asked, page);
  }
  const from = asked.from === undefined ? 0 : await firstNumberFrom(db, asked.from);
  const floor = Math.max(0, from - 1);
  const end = asked.to === undefined ? null : await firstNumberAfter(db, asked.to);
  const scope = await logScope(db, asked);
  const start = { ...page, beforeSeq: lower(page.beforeSeq, end) };
  return await pageInParts(start, async (part) => {
    const { items: rows, nextSeq } = await lookThrough(db, asked, scope, part, floor);
    return { items: await summaries(db, rows), nextSeq };
  });
}

/** Reads the next rows, up to the allowed number. `nextSeq` null: that was the end. */
async function lookThrough(
  db: Kysely<Tables>,
  asked: DeliveryFilter,
  scope: LogScope,
  page: LogPosition,
  floor: number,
): Promise<LogPage<LogRow>> {
  const { beforeSeq } = page;
  const places = placesOf(asked);
  const most = page.examined ?? EXAMINED;
  const ended = places.includes("ended");
  /** Everything above this number was read. */
  let examined = 0;
  let scopes: readonly number[] | null = null;
  let buckets: number[] = [];
  if (scope.kind === "webhooks") {
    scopes = scope.nos;
    if (ended) {
      const range = { above: floor, below: beforeSeq };
      const window = await newestBuckets(db, "ended", range, scopes.length);
      if (window === null) return { items: [], nextSeq: null };
      const endedHere = await endedOf(db, asked, scopes, page, window);
      scopes = endedHere.scopes;
      examined = Math.max(window.above, endedHere.downTo);
      buckets = bucketsAbove("ended", window, Math.max(floor, examined));
    }
    if (scope.nos.length === 0) return { items: [], nextSeq: null };
  } else if (ended && (scope.narrowed || isFiltered(asked))) {
    examined = await downTo(db, "ended", beforeSeq, most);
  }
  const few = scopes !== null && places.includes("pending") && (await waitsForFew(db, scopes));
  const isAll = scope.kind === "everybody" && !scope.narrowed && !isFiltered(asked);
  if (places.includes("pending") && !few && !isAll) {
    examined = Math.max(examined, await downTo(db, "pending", beforeSeq, most));
  }
  const aboveSeq = Math.max(floor, examined);
  const filter = { ...asked, aboveSeq };
  const rows =
    scopes?.length === 0 ? [] : await selectLogRows(db, filter, scopes, page, { buckets, few });
  if (rows.length === page.limit) return { items: rows, nextSeq: rows.at(-1)?.seq ?? null };
  return { items: rows, nextSeq: examined > floor ? examined + 1 : null };
}

/** The webhooks to read in this window, and the number down to which to read (exclusive). */
async function endedOf(
  db: Kysely<Tables>,
  asked: DeliveryFilter,
  nos: readonly number[],
  page: LogPosition,
  { buckets }: Window,
): Promise<{ scopes: number[]; downTo: number }> {
  const filtered = isFiltered(asked);
  const most = filtered ? MOST_FILTERED : page.limit;
  const here = await scopesIn(db, nos, page.beforeSeq, buckets, most);
  // Without a filter the newest row of each webhook is on the page, if there is room.
  if (!filtered && here.reached > 0) return { scopes: here.nos, downTo: here.reached - 1 };
  if (here.nos.length === 0) return { scopes: [], downTo: 0 };
  const share = Math.floor((page.examined ?? EXAMINED) / here.nos.length);
  const each = filtered ? Math.max(LEAST_EXAMINED, share) : page.limit;
  const downTo = await examinedDownTo(db, here.nos, page.beforeSeq, each, buckets);
  return { scopes: here.nos, downTo: Math.max(downTo, filtered ? here.leftOut : 0) };
}

/** Returns the existing deliveries of these numbers, in any order. */
export async function deliveriesByNumber(
  db: Kysely<Tables>,
  seqs: readonly number[],
): Promise<(DeliverySummary & { webhookNo: number })[]> {
  if (seqs.length === 0) return [];
  const page = { beforeSeq: null, limit: seqs.length };
  const rows = await selectLogRows(db, { ownerId: null, seqs }, null, page);
  const webhookNos = new Map(rows.map((row) => [row.seq, row.webhook_no]));
  return (await summaries(db, rows)).map((item) =>
    Object.assign(item, { webhookNo: webhookNos.get(item.seq) ?? 0 }),
  );
}

/** Looks up ids, which the tables find at once, for any owner. */
async function deliveriesByIds(
  db: Kysely<Tables>,
  asked: DeliveryFilter,
  page: LogPosition,
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
  const rows = await selectLogRows(db, filter, null, page);
  const items = (await summaries(db, rows)).filter(
    (item) => (asked.deliveryId ?? item.deliveryId) === item.deliveryId,
  );
  return { items, nextSeq: rows.length < page.limit ? null : (rows.at(-1)?.seq ?? null) };
}

/** True for a filter with which a page may read many deliveries and find few. */
function isFiltered(filter: DeliveryFilter): boolean {
  const { eventName, state, status, statusClass, userId, from, to } = filter;
  return [eventName, state, status, statusClass, userId, from, to].some(
    (part) => part !== undefined,
  );
}

/** Adds the result of the newest attempt to open deliveries. */
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

/** In the order of the rows, without those that cannot be read. */
export async function summaries(db: Kysely<Tables>, rows: LogRow[]): Promise<DeliverySummary[]> {
  const tried = await withLastAttempt(db, rows);
  const told = await toldOf(
    db,
    rows.map((row) => row.event_seq),
  );
  return readableOnly(tried, (row) =>
    Object.assign(summary(row), told.get(row.event_seq) ?? NOTHING_TOLD),
  );
}

type Told = Pick<DeliverySummary, "details" | "version">;
const NOTHING_TOLD: Told = { details: null, version: null };

/** Reads more of these events for the log. Only an update's payload is parsed for it. */
async function toldOf(
  db: Kysely<Tables>,
  eventSeqs: readonly number[],
): Promise<Map<number, Told>> {
  if (eventSeqs.length === 0) return new Map();
  const events = await db
    .selectFrom("events")
    .select(["seq", "details"])
    .select(({ eb }) =>
      eb
        .case()
        .when("kind", "=", kindOf("product.update"))
        .then(eb.ref("payload"))
        .else(null)
        .end()
        .as("update"),
    )
    .where("seq", "in", padded([...new Set(eventSeqs)]))
    .execute();
  return new Map(
    readableOnly(events, ({ seq, details, update }) => [
      seq,
      { details, version: versionOf(update) },
    ]),
  );
}

function versionOf(payload: string | null): string | null {
  if (payload === null) return null;
  // In the form in which accepting stored it.
  const { update } = JSON.parse(payload) as { update?: { version?: string } };
  return update?.version ?? null;
}

function summary(row: LogRow): Omit<DeliverySummary, keyof Told> {
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
