import { eventId } from "@markethook/protocol";
import type { ExpressionBuilder, Kysely, Selectable } from "kysely";
import { eventNameOf, kindOf } from "../../hot/kinds.ts";
import type { EventFilter, StoredEventSummary } from "../../port/events.ts";
import type { LogPage, LogPosition } from "../../port/log-page.ts";
import type { Tables } from "../../tables.ts";
import { downTo } from "./log-bounds.ts";
import { bucket, bucketsAbove, inBuckets, newestBuckets } from "./log-buckets.ts";
import { inOwnersTime, resourceScope, type ResourceScope } from "../resources/owners-times.ts";
import { lower, pageInParts } from "./page-in-parts.ts";
import { readableOnly } from "../readable.ts";
import { padded } from "../padded.ts";

const PING = kindOf("ping");

/** Events of one user are searched in portions of about this many, and at least this many of each resource. */
const EXAMINED = 20_000;
const LEAST_EXAMINED = 100;
/** How many resources one pass for a user's events covers. */
const MOST_FILTERED = 200;

type EventRow = Pick<
  Selectable<Tables["events"]>,
  "seq" | "tag" | "resource_id" | "kind" | "time" | "user_id" | "accepted_at" | "erased_at"
>;

/** A page of reported events; for an owner or a resource, through some buckets of the index by resource. */
export async function listStoredEvents(
  db: Kysely<Tables>,
  filter: EventFilter,
  page: LogPosition,
): Promise<LogPage<StoredEventSummary>> {
  const scope = await scopeOf(db, filter);
  const start = { ...page, beforeSeq: lower(page.beforeSeq, scope?.below ?? null) };
  return await pageInParts(start, async (part) => {
    const { items: rows, nextSeq } = await lookThrough(db, filter, scope, part);
    return { items: readableOnly(rows, eventSummary), nextSeq };
  });
}

interface Part {
  /** Null: of all owners. */
  ids: readonly string[] | null;
  buckets: readonly number[];
  /** Exclusive. */
  above: number;
  /** Nothing below this number may be seen. */
  floor: number;
  /** The owner at the time of the event; null: any. */
  ownersTime: string | null;
}

/** Reads the next rows, up to the allowed number. `nextSeq` null: that was the end. */
async function lookThrough(
  db: Kysely<Tables>,
  filter: EventFilter,
  scope: ResourceScope | null,
  page: LogPosition,
): Promise<LogPage<EventRow>> {
  const part =
    scope === null ? await partOfAll(db, filter, page) : await partOf(db, filter, scope, page);
  if (part === null) return { items: [], nextSeq: null };
  const { ids, above, floor } = part;
  const rows = ids?.length === 0 ? [] : await rowsOf(db, filter, page, part).execute();
  if (rows.length === page.limit) return { items: rows, nextSeq: rows.at(-1)?.seq ?? null };
  return { items: rows, nextSeq: above > floor ? above + 1 : null };
}

async function partOfAll(
  db: Kysely<Tables>,
  filter: EventFilter,
  page: LogPosition,
): Promise<Part> {
  const all = filter.ownerId === null && filter.userId === undefined;
  const above = all ? 0 : await downTo(db, "events", page.beforeSeq, page.examined ?? EXAMINED);
  return { ids: null, buckets: [], above, floor: 0, ownersTime: filter.ownerId };
}

async function partOf(
  db: Kysely<Tables>,
  { ownerId, userId }: EventFilter,
  { ids: resources, above: floor, isWhole }: ResourceScope,
  { beforeSeq, limit, examined }: LogPosition,
): Promise<Part | null> {
  if (resources.length === 0) return null;
  const range = { above: floor, below: beforeSeq };
  const window = await newestBuckets(db, "events", range, resources.length);
  if (window === null) return null;
  const ownersTime = isWhole ? null : ownerId;
  const filtered = userId !== undefined;
  const most = filtered ? MOST_FILTERED : limit;
  const here = await newestOf(db, resources, beforeSeq, window.buckets, ownersTime);
  const ids = here.slice(0, most).map(({ id }) => id);
  const reached = here[limit - 1];
  let above = window.above;
  if (!filtered && reached !== undefined) {
    // The newest event of each resource is on the page, if there is room.
    above = Math.max(above, reached.newest - 1);
  } else if (ids.length > 0) {
    const share = Math.floor((examined ?? EXAMINED) / ids.length);
    const each = filtered ? Math.max(LEAST_EXAMINED, share) : limit;
    const left = filtered ? (here[most]?.newest ?? 0) : 0;
    // One user's events may be few among many.
    const down = await newestOf(db, ids, beforeSeq, window.buckets, null, each);
    above = Math.max(above, left, ...down.map(({ newest }) => newest));
  }
  return { ids, buckets: bucketsAbove("events", window, above), above, floor, ownersTime };
}

export function eventSummary(row: EventRow): StoredEventSummary {
  return {
    eventId: eventId({ seq: row.seq, tag: row.tag }),
    resourceId: row.resource_id,
    name: eventNameOf(row.kind),
    time: row.time,
    userId: row.user_id,
    acceptedAt: row.accepted_at,
    erased: row.erased_at !== null,
  };
}

/** Null: the events of all resources are read. */
async function scopeOf(
  db: Kysely<Tables>,
  { ownerId, resourceId }: EventFilter,
): Promise<ResourceScope | null> {
  if (ownerId === null && resourceId === undefined) return null;
  return await resourceScope(db, ownerId, resourceId);
}

function rowsOf(
  db: Kysely<Tables>,
  { userId }: EventFilter,
  { beforeSeq, limit }: LogPosition,
  { ids, buckets, above, ownersTime }: Part,
) {
  let query = db
    .selectFrom("events as d")
    .select([
      "d.seq",
      "d.tag",
      "d.resource_id",
      "d.kind",
      "d.time",
      "d.user_id",
      "d.accepted_at",
      "d.erased_at",
    ])
    .where("d.kind", "<>", PING)
    .where("d.seq", ">", above);
  if (beforeSeq !== null) query = query.where("d.seq", "<", beforeSeq);
  if (userId !== undefined) query = query.where("d.user_id", "=", userId);
  if (ids !== null) {
    query = query
      .where("d.resource_id", "in", padded(ids))
      .where(inBuckets("events", buckets))
      .orderBy(bucket("events"), "desc");
  }
  if (ownersTime !== null) query = query.where(inOwnersTime("d", ownersTime));
  return query.orderBy("d.seq", "desc").limit(limit);
}

/**
 * Returns the newest event of each resource that has one in these buckets, the newest first. `offset`: so many after its
 * newest.
 */
async function newestOf(
  db: Kysely<Tables>,
  ids: readonly string[],
  beforeSeq: number | null,
  buckets: readonly number[],
  ownersTime: string | null,
  offset = 0,
): Promise<{ id: string; newest: number }[]> {
  const rows = await db
    .selectFrom("resources as r")
    .select((eb) => ["r.id", nthNewest(eb, beforeSeq, buckets, offset, ownersTime).as("newest")])
    .where("r.id", "in", padded(ids))
    .execute();
  return rows
    .flatMap(({ id, newest }) => (newest === null ? [] : [{ id, newest }]))
    .sort((a, b) => b.newest - a.newest);
}

/** For the resource `r`. */
function nthNewest(
  { selectFrom }: ExpressionBuilder<Tables & { r: Tables["resources"] }, "r">,
  beforeSeq: number | null,
  buckets: readonly number[],
  offset: number,
  ownersTime: string | null,
) {
  let query = selectFrom("events as d")
    .select("d.seq")
    .whereRef("d.resource_id", "=", "r.id")
    .where("d.kind", "<>", PING)
    .where(inBuckets("events", buckets))
    .orderBy(bucket("events"), "desc");
  if (beforeSeq !== null) query = query.where("d.seq", "<", beforeSeq);
  if (ownersTime !== null) query = query.where(inOwnersTime("d", ownersTime));
  return query.orderBy("d.seq", "desc").offset(offset).limit(1);
}
