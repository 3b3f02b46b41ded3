import {
  type Expression,
  expressionBuilder,
  type ExpressionWrapper,
  type Kysely,
  type SqlBool,
} from "kysely";
import { deliveryNumber } from "../hot/numbers.ts";
import type { Tables } from "../tables.ts";
import { padded } from "./padded.ts";

/**
 * The log's indexes by webhook and by resource begin with a number's bucket, some thousands of events each. New rows
 * then go into a few pages at the index's end, however many webhooks there are; without it each webhook has its own
 * page, and each row costs the write of one. Whoever reads goes through the buckets from the newest on.
 */
const EVENTS_PER_BUCKET = 16_384;

type Logged = "done" | "events";
type Place = Logged | "live" | "waiting";

/** Where rows are that stand there, or may by the time they are read. */
const PLACES: Readonly<Record<Logged, readonly Place[]>> = {
  done: ["done", "live", "waiting"],
  events: ["events"],
};

const SIZE: Readonly<Record<Logged, number>> = {
  done: deliveryNumber(EVENTS_PER_BUCKET),
  events: EVENTS_PER_BUCKET,
};

export interface Range {
  /** Exclusive; null: no bound. */
  above: number | null;
  below: number | null;
}

/** Buckets in which rows of this range can stand, the newest first. Empty: there are none. */
export async function bucketsOf(
  db: Kysely<Tables>,
  table: Logged,
  { above, below }: Range,
): Promise<number[]> {
  const edges = PLACES[table].flatMap((place) => [edge(db, place, "asc"), edge(db, place, "desc")]);
  const [head, ...others] = edges;
  if (head === undefined) return [];
  const all = await others.reduce((query, part) => query.unionAll(part), head).execute();
  if (all.length === 0) return [];
  const seqs = all.map(({ seq }) => seq);
  const [oldest, newest] = [Math.min(...seqs), Math.max(...seqs)];
  const first = bucketOf(table, Math.max(oldest, (above ?? -1) + 1));
  // One more than there is: a row may get there before the caller reads.
  const last = Math.min(bucketOf(table, newest) + 1, bucketOf(table, (below ?? Infinity) - 1));
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => last - index);
}

function edge(db: Kysely<Tables>, place: Place, direction: "asc" | "desc") {
  const row = db.selectFrom(place).select("seq").orderBy("seq", direction).limit(1);
  return db.selectFrom(row.as("edge")).select("edge.seq");
}

function bucketOf(table: Logged, seq: number): number {
  return Math.floor(seq / SIZE[table]);
}

/** Rows stand under the name `d`. */
const any = expressionBuilder<{ d: { seq: number } }, "d">();

/** As the index has it, to order by before the number itself. */
export function bucket(table: Logged): ExpressionWrapper<{ d: { seq: number } }, "d", number> {
  return any("d.seq", "/", any.lit(SIZE[table]));
}

/** A row of one of these; of none there is none. */
export function inBuckets(table: Logged, buckets: readonly number[]): Expression<SqlBool> {
  // Of an empty list `in` is not SQL; `or` of nothing is false.
  return buckets.length === 0 ? any.or([]) : any(bucket(table), "in", padded(buckets));
}
