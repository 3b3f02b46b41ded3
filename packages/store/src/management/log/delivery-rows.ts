import { parseDeliveryId } from "@markethook/protocol";
import { expressionBuilder, type Kysely } from "kysely";
import { endStateNumber, kindOf, originNumber } from "../../hot/kinds.ts";
import { deliveryRange } from "../../hot/numbers.ts";
import { SUSPECT_ALONE_FROM } from "../../hot/suspicion.ts";
import type { EndState } from "../../port/deliveries.ts";
import type { DeliveryFilter, ShownState } from "../../port/delivery-log.ts";
import type { LogPosition } from "../../port/log-page.ts";
import type { Tables } from "../../tables.ts";
import { bucket, inBuckets } from "./log-buckets.ts";
import { padded } from "../padded.ts";
import { webhookIs } from "../webhooks/webhook-filter.ts";

/** A filter in the form of the statements, with parsed ids and times. */
export interface RowFilter extends DeliveryFilter {
  /** Only these deliveries. */
  seqs?: readonly number[];
  event?: { seq: number; tag: string };
  /** Exclusive. */
  aboveSeq?: number;
}

type Place = "ended" | "leased" | "pending";

/** A delivery in the log, from any table. */
export interface LogRow {
  seq: number;
  webhook_no: number;
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
  webhook_state: string;
  /** From `ended`; null if it has not ended. */
  state: number | null;
  reason: string | null;
  outcome: string | null;
  status: number | null;
  ended_at: number | null;
  /** From `pending`. */
  due_at: number | null;
  behind: number;
}

/** Number of the webhooks' waiting rows. */
const FEW = 2000;

const END_STATES: ReadonlySet<ShownState> = new Set(["delivered", "dead", "cancelled"]);

/**
 * Reads the newest rows of some webhooks (null: all) in one statement. With one per table, a delivery that moves
 * meanwhile would be seen twice or not at all. `few` is the answer of `waitsForFew` for these webhooks.
 */
export async function selectLogRows(
  db: Kysely<Tables>,
  filter: RowFilter,
  webhookNos: readonly number[] | null,
  page: LogPosition,
  { buckets, few }: { buckets: readonly number[]; few: boolean } = { buckets: [], few: false },
): Promise<LogRow[]> {
  const rowsOf = (place: Place) => tableRows(db, place, filter, webhookNos, page);
  const part = {
    ended: () => endedRows(rowsOf("ended"), filter, webhookNos === null ? null : buckets),
    leased: () =>
      rowsOf("leased")
        .select(notEnded(noText))
        .select([noNumber.as("due_at"), no.as("behind")])
        .where(lastStatusIs(filter))
        .orderBy("d.seq", "desc")
        .$castTo<LogRow>(),
    pending: () =>
      rowsOf("pending")
        .select(notEnded(quarantined))
        .select([any.ref("d.due_at").as("due_at"), behindNumber.as("behind")])
        .where(lastStatusIs(filter))
        .where(shownAs(filter.state))
        // The sum keeps the planner from using an index's order.
        .orderBy(few ? any("d.seq", "+", 0) : any.ref("d.seq"), "desc")
        .$castTo<LogRow>(),
  };
  const query = (place: Place) => db.selectFrom(part[place]().as("d")).selectAll("d");
  const [first, ...others] = placesOf(filter);
  const all = others.reduce((union, place) => union.unionAll(query(place)), query(first));
  return await all.orderBy("seq", "desc").limit(page.limit).execute();
}

/** One delivery, also of a deleted webhook; null when absent or foreign. Its `state` is null until it has ended. */
export async function findRow(
  db: Kysely<Tables>,
  id: string,
  ownerId: string | null,
): Promise<LogRow | null> {
  const parsed = parseDeliveryId(id);
  if (parsed === null) return null;
  const page = { beforeSeq: null, limit: 1 };
  const [row] = await selectLogRows(db, { ownerId, seqs: [parsed.seq] }, null, page);
  return row?.tag === parsed.tag ? row : null;
}

/**
 * Waiting rows have no index by (webhook, number). If there are few, the webhooks' own rows are sorted. Only for many
 * is it faster to read the rows of all webhooks in order of number until the page is full.
 */
export async function waitsForFew(
  db: Kysely<Tables>,
  webhookNos: readonly number[],
): Promise<boolean> {
  if (webhookNos.length === 0) return true;
  const row = await db
    .selectFrom("pending")
    .select("seq")
    .where("webhook_no", "in", padded(webhookNos))
    .offset(FEW)
    .limit(1)
    .executeTakeFirst();
  return row === undefined;
}

/** The tables that can contain such deliveries. */
export function placesOf({ state }: DeliveryFilter): [Place, ...Place[]] {
  if (state === undefined) return ["ended", "leased", "pending"];
  if (END_STATES.has(state)) return ["ended"];
  return [state === "leased" ? "leased" : "pending"];
}

const COMMON = [
  "d.seq",
  "d.webhook_no",
  "d.event_seq",
  "d.kind",
  "d.order_key",
  "d.attempts",
  "d.origin",
  "d.created_at",
  "e.tag",
  "e.time",
  "w.id as webhook_id",
  "w.resource_id",
  "w.state as webhook_state",
] as const;

/** All three tables have the columns that are named here. */
const any = expressionBuilder<
  Tables & { d: Tables["pending"]; e: Tables["events"]; w: Tables["webhooks"] },
  "d" | "e" | "w"
>();
const noNumber = any.cast<number | null>(any.lit(null), "bigint");
const noText = any.cast<string | null>(any.lit(null), "text");
const no = any.cast<number>(any.lit(0), "bigint");
const quarantined = any
  .case()
  .when("d.suspicion", ">", SUSPECT_ALONE_FROM)
  .then(any.cast<string | null>(any.val("quarantined"), "text"))
  .else(noText)
  .end();

/** The columns that all tables have. The union matches the tables' rows by the order of their columns. */
function tableRows(
  db: Kysely<Tables>,
  place: Place,
  filter: RowFilter,
  webhookNos: readonly number[] | null,
  page: LogPosition,
) {
  return db
    .selectFrom(`${place} as d` as "ended as d") // All of these tables have these columns.
    .innerJoin("events as e", "e.seq", "d.event_seq")
    .innerJoin("webhooks as w", "w.no", "d.webhook_no")
    .select(COMMON)
    .where(matches(filter, webhookNos, page))
    .limit(page.limit);
}

/** `buckets` null: not counted, for all webhooks together. */
function endedRows(
  rows: ReturnType<typeof tableRows>,
  filter: RowFilter,
  buckets: readonly number[] | null,
) {
  const { state } = filter;
  let query = rows
    .select(["d.state", "d.reason", "d.outcome", "d.status", "d.ended_at"])
    .select([noNumber.as("due_at"), no.as("behind")]);
  for (const [least, most] of statusRanges(filter)) {
    query = query.where("d.status", ">=", least).where("d.status", "<=", most);
  }
  // `placesOf` allows only end states here.
  if (state !== undefined) query = query.where("d.state", "=", endStateNumber(state as EndState));
  if (buckets !== null)
    query = query.where(inBuckets("ended", buckets)).orderBy(bucket("ended"), "desc");
  return query.orderBy("d.seq", "desc").$castTo<LogRow>();
}

function notEnded(reason: typeof noText) {
  return [
    noNumber.as("state"),
    reason.as("reason"),
    noText.as("outcome"),
    noNumber.as("status"),
    noNumber.as("ended_at"),
  ] as const;
}

function matches(filter: RowFilter, webhookNos: readonly number[] | null, page: LogPosition) {
  const { userId, eventName, from, to, seqs, event, aboveSeq } = filter;
  return any.and([
    // The owner was not resolved to webhooks before.
    webhookNos === null ? webhookIs(filter) : any("d.webhook_no", "in", padded(webhookNos)),
    ...(seqs === undefined ? [] : [any("d.seq", "in", seqs)]),
    ...(event === undefined ? [] : [any("e.tag", "=", event.tag), ofEvents([event.seq])]),
    ...(aboveSeq === undefined ? [] : [any("d.seq", ">", aboveSeq)]),
    ...(page.beforeSeq === null ? [] : [any("d.seq", "<", page.beforeSeq)]),
    ...(userId === undefined ? [] : [any("d.order_key", "=", userId)]),
    ...(eventName === undefined ? [] : [any("d.kind", "=", kindOf(eventName))]),
    ...(from === undefined ? [] : [any("d.created_at", ">=", from)]),
    ...(to === undefined ? [] : [any("d.created_at", "<", to)]),
  ]);
}

/** Their own deliveries are in ranges of numbers; redeliveries have numbers of their own. */
export function ofEvents(seqs: readonly number[]) {
  return any.or([
    ...seqs.map((seq) => any.between("d.seq", ...deliveryRange(seq))),
    any.and([
      any("d.event_seq", "in", [...seqs]),
      any("d.origin", "=", any.lit(originNumber("redelivery"))),
    ]),
  ]);
}

/** Attempts are numbered without gaps, so the last number is their count. */
function lastStatusIs(filter: RowFilter) {
  return any.and(
    statusRanges(filter).map(([least, most]) =>
      any.exists(
        any
          .selectFrom("attempts as a")
          .select("a.number")
          .whereRef("a.delivery_seq", "=", "d.seq")
          .whereRef("a.number", "=", "d.attempts")
          .where("a.status", ">=", least)
          .where("a.status", "<=", most),
      ),
    ),
  );
}

/** The status must be in all of them. */
function statusRanges({ status, statusClass }: RowFilter): [least: number, most: number][] {
  const ranges: [least: number, most: number][] = [];
  if (status !== undefined) ranges.push([status, status]);
  if (statusClass !== undefined) ranges.push([statusClass * 100, statusClass * 100 + 99]);
  return ranges;
}

/** Derived, never stored: true if an earlier delivery of the same (webhook, order key) is open. */
const behindAnother = any.or(
  (["leased", "pending"] as const).map((table) =>
    any.exists(
      any
        .selectFrom(`${table} as earlier` as "leased as earlier") // Both tables have these columns.
        .select("earlier.seq")
        .whereRef("earlier.webhook_no", "=", "d.webhook_no")
        .whereRef("earlier.order_key", "=", "d.order_key")
        .whereRef("earlier.seq", "<", "d.seq"),
    ),
  ),
);
const behindNumber = any.cast<number>(
  any.case().when(behindAnother).then(any.lit(1)).else(any.lit(0)).end(),
  "bigint",
);

function shownAs(state: ShownState | undefined) {
  if (state === undefined) return any.and([]);
  if (state === "held") return any("w.state", "<>", "active");
  return any.and([
    any("w.state", "=", "active"),
    state === "waiting" ? behindAnother : any.not(behindAnother),
  ]);
}
