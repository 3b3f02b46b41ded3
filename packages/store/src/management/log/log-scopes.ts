import type { Kysely } from "kysely";
import type { DeliveryFilter } from "../../port/delivery-log.ts";
import type { Tables } from "../../tables.ts";
import { nthNewest } from "./log-bounds.ts";
import { MOST_SCOPES } from "./log-buckets.ts";
import { padded } from "../padded.ts";
import { webhookIs } from "../webhooks/webhook-filter.ts";

/** `everybody`: no webhooks are looked up, because the filter names none or there are too many. */
export type LogScope =
  | { kind: "everybody"; narrowed: boolean }
  | { kind: "webhooks"; nos: readonly number[] };

/** Returns the webhooks that match a filter. Deleted webhooks keep their log. */
export async function logScope(db: Kysely<Tables>, filter: DeliveryFilter): Promise<LogScope> {
  const { ownerId, resourceId, webhookId } = filter;
  if (ownerId === null && resourceId === undefined && webhookId === undefined) {
    return { kind: "everybody", narrowed: false };
  }
  // Two queries, because each part has indexes of its own. One query would read all webhooks of everybody.
  const part = (deleted: "is" | "is not") =>
    db
      .selectFrom("webhooks as w")
      .select("w.no")
      .where(webhookIs(filter))
      .where("w.deleted_at", deleted, null);
  const all = part("is").unionAll(part("is not"));
  const nos = (await all.limit(MOST_SCOPES + 1).execute()).map((row) => row.no);
  return nos.length > MOST_SCOPES
    ? { kind: "everybody", narrowed: true }
    : { kind: "webhooks", nos };
}

/** Among these webhooks, finds those with a delivery that is open or ended in these buckets. */
export async function scopesIn(
  db: Kysely<Tables>,
  nos: readonly number[],
  beforeSeq: number | null,
  buckets: readonly number[],
  most: number,
) {
  if (nos.length === 0) return { nos: [], leftOut: 0, reached: 0 };
  const rows = await db
    .selectFrom("webhooks as w")
    .select((eb) => {
      const { selectFrom } = eb;
      return [
        "w.no",
        nthNewest(eb, beforeSeq, buckets, 0).as("newest"),
        selectFrom("leased")
          .select("leased.seq")
          .whereRef("leased.webhook_no", "=", "w.no")
          .limit(1)
          .as("leased"),
        selectFrom("pending")
          .select("pending.seq")
          .whereRef("pending.webhook_no", "=", "w.no")
          .limit(1)
          .as("pending"),
      ];
    })
    .where("w.no", "in", padded(nos))
    .execute();
  const isOpen = (row: (typeof rows)[number]): boolean =>
    row.leased !== null || row.pending !== null;
  const newestFirst = rows
    .filter((row) => row.newest !== null)
    .sort((a, b) => (b.newest ?? 0) - (a.newest ?? 0));
  const ended = newestFirst.filter((row) => !isOpen(row));
  return {
    /** The webhooks with open deliveries, and the `most` others with the newest deliveries here. */
    nos: [...rows.filter(isOpen), ...ended.slice(0, most)].map((row) => row.no),
    /** The newest delivery of a webhook that is left out; 0: none is. */
    leftOut: ended[most]?.newest ?? 0,
    /** At least `most` ended deliveries have this number or a higher one; 0: there are fewer webhooks. */
    reached: newestFirst[most - 1]?.newest ?? 0,
  };
}
