import { expressionBuilder, type Kysely } from "kysely";
import { kindOf, maskMatches, originNumber } from "../../hot/kinds.ts";
import { deliveryNumber, orderKeyOf } from "../../hot/numbers.ts";
import { REPORTED_EVENT_NAMES } from "@markethook/protocol";
import type { MissingFilter } from "../../port/delivery-log.ts";
import type { Tables } from "../../tables.ts";
import {
  bucket,
  inBucketOfEvent,
  inBuckets,
  oldestBuckets,
  type Range,
} from "../log/log-buckets.ts";
import { inOwnersTime } from "../resources/owners-times.ts";
import { padded } from "../padded.ts";
import type { WebhookRow } from "../webhooks/webhook-row.ts";

/** In the form of the delivery that it lacks. */
export interface MissingEvent {
  event_seq: number;
  webhook_no: number;
  kind: number;
  order_key: number;
}

/** Returns the kinds of the filter's events that the webhook has chosen. */
function wantedKinds({ mask }: Pick<WebhookRow, "mask">, { events }: MissingFilter): number[] {
  return (events ?? REPORTED_EVENT_NAMES).map(kindOf).filter((kind) => maskMatches(mask, kind));
}

/**
 * Reads at most `examined` of the oldest events of a resource in a range, and returns those that never had a delivery
 * to this webhook. `last`: how far it has read; null: to the end.
 */
export async function missingPage(
  db: Kysely<Tables>,
  webhook: MissingAt,
  filter: MissingFilter,
  range: Range,
  examined: number,
): Promise<{ events: MissingEvent[]; last: number | null }> {
  const window = await oldestBuckets(db, "events", range);
  if (window === null) return { events: [], last: null };
  const page = eventsOf(db, webhook)
    .where(inBuckets("events", window.buckets))
    .where("d.seq", ">", window.above)
    .where("d.seq", "<", window.below)
    .orderBy(bucket("events"))
    .orderBy("d.seq")
    .limit(examined);
  const rows = await judged(db, webhook, filter, page);
  // The window may be finished while the range goes on.
  const last = rows.length < examined ? window.below - 1 : (rows.at(-1)?.seq ?? null);
  return { events: missingOf(rows, webhook), last };
}

/** Returns the events that are still missing. */
export async function missingAmong(
  db: Kysely<Tables>,
  webhook: MissingAt,
  filter: MissingFilter,
  seqs: readonly number[],
): Promise<MissingEvent[]> {
  const page = eventsOf(db, webhook).where("d.seq", "in", padded(seqs));
  return missingOf(await judged(db, webhook, filter, page), webhook);
}

type MissingAt = Pick<WebhookRow, "no" | "mask" | "resource_id" | "owner_id">;

/** Limits events to the time of the webhook's owner: no owner gets events of another owner's sales. */
function eventsOf(db: Kysely<Tables>, { resource_id, owner_id }: MissingAt) {
  return db
    .selectFrom("events as d")
    .select(["d.seq", "d.kind", "d.user_id", "d.accepted_at", "d.erased_at"])
    .where("d.resource_id", "=", resource_id)
    .where(inOwnersTime("d", owner_id));
}

interface JudgedRow {
  seq: number;
  kind: number;
  user_id: number | null;
  missing: number;
}

async function judged(
  db: Kysely<Tables>,
  webhook: MissingAt,
  filter: MissingFilter,
  page: ReturnType<typeof eventsOf>,
): Promise<JudgedRow[]> {
  const slots = any.lit(deliveryNumber(1));
  const without = (["ended", "leased", "pending"] as const).flatMap((table) => {
    const one = any.selectFrom(`${table} as d` as "ended as d").select("d.seq"); // All of these tables have these columns.
    // The sum keeps the planner from using the index by webhook: a webhook's rows can be many, an event's are few.
    const few = one.where(({ eb, lit }) => eb(eb("d.webhook_no", "+", lit(0)), "=", webhook.no));
    // The log's index has the webhook's rows of each bucket in order, so that the table itself is not read.
    const own =
      table === "ended" ? one.where("d.webhook_no", "=", webhook.no).where(inBucketOfEvent) : few;
    return [
      own
        .where("d.seq", ">=", any("e.seq", "*", slots))
        .where("d.seq", "<", any(any("e.seq", "*", slots), "+", slots)),
      few
        .whereRef("d.event_seq", "=", "e.seq")
        .where("d.origin", "=", any.lit(originNumber("redelivery"))),
    ].map((delivery) => any.not(any.exists(delivery)));
  });
  const missing = any.and([
    any.or(wantedKinds(webhook, filter).map((kind) => any("e.kind", "=", kind))),
    any("e.accepted_at", ">=", filter.from),
    any("e.accepted_at", "<", filter.to),
    any("e.erased_at", "is", null),
    ...without,
  ]);
  return await db
    .selectFrom(page.as("e"))
    .select(["e.seq", "e.kind", "e.user_id"])
    .select(any.case().when(missing).then(any.lit(1)).else(any.lit(0)).end().as("missing"))
    .orderBy("e.seq")
    .execute();
}

/** The statement names the events `e`. */
const any = expressionBuilder<Tables & { e: Tables["events"] }, "e">();

function missingOf(rows: readonly JudgedRow[], { no }: MissingAt): MissingEvent[] {
  return rows
    .filter((row) => Number(row.missing) === 1)
    .map(({ seq, kind, user_id }) => ({
      event_seq: seq,
      webhook_no: no,
      kind,
      order_key: orderKeyOf({ userId: user_id }),
    }));
}
