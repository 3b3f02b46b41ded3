import {
  type Expression,
  expressionBuilder,
  type ExpressionWrapper,
  type Kysely,
  type SqlBool,
} from "kysely";
import { deliveryNumber } from "../../hot/numbers.ts";
import type { Tables } from "../../tables.ts";
import { padded } from "../padded.ts";

/**
 * The log's indexes by webhook and by resource begin with a number's bucket, some thousands of events each. So new rows
 * go into a few pages at the end of the index, however many webhooks there are. Without buckets each webhook has its
 * own page, and each row costs the write of one. A reader goes through the buckets window by window: a statement names
 * a bounded number of them, however long the log is.
 */
const EVENTS_PER_BUCKET = 16_384;
/** Limits of one window: looked-up index entries and named buckets. */
const MOST_PROBES = 8192;
const MOST_BUCKETS = 1024;
/** Limit of webhooks or resources that are looked up one by one; if there are more, all rows are read. */
export const MOST_SCOPES = 2048;

type Logged = "ended" | "events";
type Place = Logged | "leased" | "pending";

/** The range of rows that exist there, or may exist when they are read. */
const PLACES: Readonly<Record<Logged, readonly Place[]>> = {
  ended: ["ended", "leased", "pending"],
  events: ["events"],
};

const SIZE: Readonly<Record<Logged, number>> = {
  ended: deliveryNumber(EVENTS_PER_BUCKET),
  events: EVENTS_PER_BUCKET,
};

export interface Range {
  /** Exclusive; null: no bound. */
  above: number | null;
  below: number | null;
}

/** Some neighbouring buckets of a range. There is no row between the near end of the range and the window. */
export interface Window {
  /** In the order of reading. */
  buckets: number[];
  /** End of the window's part of the range, exclusive. */
  above: number;
  below: number;
}

/**
 * Returns the newest buckets of this range; `scopes` is the number of webhooks or resources that are looked up in each.
 * Null: no row.
 */
export async function newestBuckets(
  db: Kysely<Tables>,
  table: Logged,
  range: Range,
  scopes = 1,
): Promise<Window | null> {
  const found = await span(db, table, range);
  if (found === null) return null;
  const lowest = Math.max(found.first, found.last - bucketsFor(scopes) + 1);
  return windowOf(table, range, lowest, found.last, true);
}

/** Returns at most so many of the oldest ones. */
export async function oldestBuckets(
  db: Kysely<Tables>,
  table: Logged,
  range: Range,
  most = MOST_BUCKETS,
): Promise<Window | null> {
  const found = await span(db, table, range);
  if (found === null) return null;
  const highest = Math.min(found.last, found.first + most - 1);
  return windowOf(table, range, found.first, highest, false);
}

function bucketsFor(scopes: number): number {
  return Math.max(1, Math.min(MOST_BUCKETS, Math.floor(MOST_PROBES / Math.max(1, scopes))));
}

function windowOf(
  table: Logged,
  range: Range,
  lowest: number,
  highest: number,
  newestFirst: boolean,
): Window {
  const count = Math.max(0, highest - lowest + 1);
  return {
    buckets: Array.from({ length: count }, (_, i) => (newestFirst ? highest - i : lowest + i)),
    above: Math.max(range.above ?? -1, lowest * SIZE[table] - 1),
    below: Math.min(range.below ?? Infinity, (highest + 1) * SIZE[table]),
  };
}

/** The first and the last bucket that can contain rows of this range. */
async function span(
  db: Kysely<Tables>,
  table: Logged,
  range: Range,
): Promise<{ first: number; last: number } | null> {
  const edges = PLACES[table].flatMap((place) => [
    edge(db, place, range, "asc"),
    edge(db, place, range, "desc"),
  ]);
  const [head, ...others] = edges;
  if (head === undefined) return null;
  const all = await others.reduce((query, part) => query.unionAll(part), head).execute();
  if (all.length === 0) return null;
  const seqs = all.map(({ seq }) => seq);
  return {
    first: bucketOf(table, Math.min(...seqs)),
    // One more than exists: a row may be added before the caller reads.
    last: Math.min(
      bucketOf(table, Math.max(...seqs)) + 1,
      bucketOf(table, (range.below ?? Infinity) - 1),
    ),
  };
}

function edge(
  db: Kysely<Tables>,
  place: Place,
  { above, below }: Range,
  direction: "asc" | "desc",
) {
  let row = db.selectFrom(place).select("seq").orderBy("seq", direction).limit(1);
  if (above !== null) row = row.where("seq", ">", above);
  // A reader that goes up would meet a row with an impossible number again and again.
  row = row.where("seq", "<", below ?? Number.MAX_SAFE_INTEGER);
  return db.selectFrom(row.as("edge")).select("edge.seq");
}

function bucketOf(table: Logged, seq: number): number {
  return Math.floor(seq / SIZE[table]);
}

/** The buckets of a window that reach above this number. */
export function bucketsAbove(table: Logged, { buckets }: Window, above: number): number[] {
  return buckets.filter((no) => (no + 1) * SIZE[table] - 1 > above);
}

/** The statement names the rows `d`. */
const any = expressionBuilder<{ d: { seq: number } }, "d">();

/** As in the index, for ordering by it before the number itself. */
export function bucket(table: Logged): ExpressionWrapper<{ d: { seq: number } }, "d", number> {
  return any("d.seq", "/", any.lit(SIZE[table]));
}

const ofEvent = expressionBuilder<{ d: { seq: number }; e: { seq: number } }, "d" | "e">();

/** True for an ended delivery in the bucket of the event `e`. All that were made with the event are in it. */
export const inBucketOfEvent: Expression<SqlBool> = ofEvent(
  ofEvent("d.seq", "/", ofEvent.lit(SIZE.ended)),
  "=",
  ofEvent("e.seq", "/", ofEvent.lit(SIZE.events)),
);

/** True for a row of one of these. An empty list has no rows. */
export function inBuckets(table: Logged, buckets: readonly number[]): Expression<SqlBool> {
  // `in` with an empty list is not SQL; `or` without terms is false.
  return buckets.length === 0 ? any.or([]) : any(bucket(table), "in", padded(buckets));
}
