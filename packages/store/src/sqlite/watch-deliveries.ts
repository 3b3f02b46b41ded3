import { type WatchedRow, watchedDeliveries } from "../management/watched-rows.ts";
import type { WatchedDeliveries } from "../port/delivery-log.ts";
import type { Connection } from "./connection.ts";

const PARTS = [
  "select seq, 'live' as place, attempts, created_at from live where webhook_no = ? order by seq desc limit ?",
  "select seq, 'waiting' as place, attempts, created_at from waiting where webhook_no = ? order by due_at limit ?",
  "select seq, 'waiting' as place, attempts, created_at from waiting where webhook_no = ? order by due_at desc limit ?",
];

/** Through the index, whose first part is the bucket: the same number as in `log-buckets.ts`. */
const ENDED = `with recursive buckets (no) as (
  select max(seq) / 2097152 from done
  union all select no - 1 from buckets where no > (select seq / 2097152 from done order by seq limit 1)
)
select seq, 'done' as place, attempts, created_at from done
where seq / 2097152 in (select no from buckets) and webhook_no = ?
order by seq / 2097152 desc, seq desc limit ?`;

/**
 * Of each webhook what is leased, what waits and is due first or last (that is also: was made last), and the newest
 * that have ended.
 */
export function watchDeliveries(
  db: Connection,
  webhookNos: readonly number[],
  perWebhook: number,
): WatchedDeliveries {
  const rows: WatchedRow[] = [];
  for (const no of webhookNos) {
    const webhook = db.get("select state from webhooks where no = ?", no);
    for (const part of [...PARTS, ENDED]) {
      for (const row of db.all(part, no, perWebhook)) {
        rows.push({
          seq: Number(row["seq"]),
          webhookNo: no,
          place: String(row["place"]),
          attempts: Number(row["attempts"]),
          createdAt: Number(row["created_at"]),
          webhookState: String(webhook?.["state"]),
        });
      }
    }
  }
  return watchedDeliveries(db.now(), rows, perWebhook);
}
