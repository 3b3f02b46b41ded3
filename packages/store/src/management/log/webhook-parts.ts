import type { Kysely } from "kysely";
import type { Tables } from "../../tables.ts";
import { bucket, inBuckets, oldestBuckets, type Range, type Window } from "./log-buckets.ts";

/** Limits of what one statement reads: buckets, and the webhook's deliveries in them. On SQLite all other reads wait for it. */
const BUCKETS = 32;
const EXAMINED = 5000;

/** The oldest part of a range that one statement reads. Null: nothing is left. */
export async function oldestPart(
  db: Kysely<Tables>,
  webhookNo: number,
  range: Range,
): Promise<Window | null> {
  const window = await oldestBuckets(db, "ended", range, BUCKETS);
  if (window === null) return null;
  const last = await ofWebhook(db, webhookNo, window)
    .select("d.seq")
    .orderBy(bucket("ended"))
    .orderBy("d.seq")
    .offset(EXAMINED - 1)
    .limit(1)
    .executeTakeFirst();
  return last === undefined ? window : { ...window, below: last.seq + 1 };
}

/** The webhook's ended deliveries in a part of the log. */
export function ofWebhook(
  db: Kysely<Tables>,
  webhookNo: number,
  { buckets, above, below }: Window,
) {
  return db
    .selectFrom("ended as d")
    .where("d.webhook_no", "=", webhookNo)
    .where(inBuckets("ended", buckets))
    .where("d.seq", ">", above)
    .where("d.seq", "<", below);
}
