import { eventId } from "@markethook/protocol";
import type { Kysely, SelectQueryBuilder } from "kysely";
import { eventNameOf, kindOf } from "../hot/kinds.ts";
import type { EventFilter } from "../port/events.ts";
import type { StoredEventSummary } from "../port/stored-event.ts";
import type { Tables } from "../tables.ts";
import type { Page } from "./delivery-rows.ts";
import { bucket, bucketsOf, inBuckets } from "./log-buckets.ts";

/** Events that one page looks at, over all resources. */
const EXAMINED = 100_000;
const LEAST_EXAMINED = 500;
/** Resources in one statement. */
const TOGETHER = 50;

interface EventRow {
  seq: number;
  tag: string;
  resource_id: string;
  kind: number;
  time: number;
  user_id: number | null;
  accepted_at: number;
  erased_at: number | null;
}

/** A page of reported events, newest first; for an owner resource by resource through the index, and merged. */
export async function listStoredEvents(
  db: Kysely<Tables>,
  filter: EventFilter,
  page: Page,
): Promise<{ items: StoredEventSummary[]; nextSeq: number | null }> {
  const resources = await resourceScopes(db, filter);
  const all = await bucketsOf(db, "events", { above: null, below: page.beforeSeq });
  const bound = filter.userId === undefined ? 0 : await examinedDownTo(db, resources, page, all);
  const buckets =
    bound === 0 ? all : await bucketsOf(db, "events", { above: bound, below: page.beforeSeq });
  const found: EventRow[] = [];
  for (let i = 0; i < resources.length; i += TOGETHER) {
    const parts = resources
      .slice(i, i + TOGETHER)
      .map((id) =>
        db.selectFrom(rowsOf(db, filter, id, page, bound, buckets).as("r")).selectAll("r"),
      );
    const [first, ...others] = parts;
    if (first === undefined) break;
    found.push(...(await others.reduce((all, part) => all.unionAll(part), first).execute()));
  }
  const rows = found.sort((a, b) => b.seq - a.seq).slice(0, page.limit);
  const items = rows.map(eventSummary);
  if (rows.length === page.limit) return { items, nextSeq: rows.at(-1)?.seq ?? null };
  return { items, nextSeq: bound > 0 ? bound + 1 : null };
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

/** `[null]` is everything. Deleted resources keep their events. */
async function resourceScopes(
  db: Kysely<Tables>,
  { ownerId, resourceId }: EventFilter,
): Promise<(string | null)[]> {
  if (ownerId === null) return [resourceId ?? null];
  let query = db.selectFrom("resources").select("id").where("owner_id", "=", ownerId);
  if (resourceId !== undefined) query = query.where("id", "=", resourceId);
  return (await query.execute()).map((row) => row.id);
}

function rowsOf(
  db: Kysely<Tables>,
  { userId }: EventFilter,
  resourceId: string | null,
  { beforeSeq, limit }: Page,
  bound: number,
  buckets: readonly number[],
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
    .where("d.kind", "<>", kindOf("ping"));
  if (resourceId !== null) query = ofResource(query, resourceId, buckets);
  if (beforeSeq !== null) query = query.where("d.seq", "<", beforeSeq);
  if (bound > 0) query = query.where("d.seq", ">", bound);
  if (userId !== undefined) query = query.where("d.user_id", "=", userId);
  return query.orderBy("d.seq", "desc").limit(limit);
}

type Events<Row> = SelectQueryBuilder<{ d: Tables["events"] }, "d", Row>;

/** Through the index by resource, in its order. */
function ofResource<Row>(
  query: Events<Row>,
  resourceId: string,
  buckets: readonly number[],
): Events<Row> {
  return query
    .where("d.resource_id", "=", resourceId)
    .where(inBuckets("events", buckets))
    .orderBy(bucket("events"), "desc");
}

/** As `examinedDownTo` of deliveries: one user's events may be few among many. */
async function examinedDownTo(
  db: Kysely<Tables>,
  resources: readonly (string | null)[],
  { beforeSeq }: Page,
  buckets: readonly number[],
): Promise<number> {
  const each = Math.max(LEAST_EXAMINED, Math.floor(EXAMINED / Math.max(1, resources.length)));
  let bound = 0;
  for (const id of resources) {
    let query: Events<{ seq: number }> = db.selectFrom("events as d").select("d.seq");
    if (id !== null) query = ofResource(query, id, buckets);
    if (beforeSeq !== null) query = query.where("d.seq", "<", beforeSeq);
    const row = await query.orderBy("d.seq", "desc").offset(each).limit(1).executeTakeFirst();
    bound = Math.max(bound, row?.seq ?? 0);
  }
  return bound;
}
