import {
  WATCHED_BUCKETS,
  type WatchedRow,
  watchedDeliveries,
} from "../management/log/watched-rows.ts";
import type { WatchedDeliveries } from "../port/delivery-log.ts";
import type { Connection } from "./connection.ts";

/** Returns the webhooks with deliveries to read. Most of many have none, and each statement for them costs. */
const IN_USE = `select w.no, w.state,
  exists (select 1 from leased where webhook_no = w.no) as leased,
  exists (select 1 from pending where webhook_no = w.no) as pending,
  exists (select 1 from ended where seq / 2097152 in (${newestBuckets()}) and webhook_no = w.no) as ended
from webhooks w where w.no in (select value from json_each(?))`;

const LIVE =
  "select seq, 'leased' as place, attempts, created_at from leased where webhook_no = ? order by seq desc limit ?";
const DUE_FIRST =
  "select seq, 'pending' as place, attempts, created_at from pending where webhook_no = ? order by due_at limit ?";
const DUE_LAST =
  "select seq, 'pending' as place, attempts, created_at from pending where webhook_no = ? order by due_at desc limit ?";
/** Uses the index, which begins with the bucket: the same number as in `log-buckets.ts`. */
const ENDED = `select seq, 'ended' as place, attempts, created_at from ended
where seq / 2097152 in (${newestBuckets()}) and webhook_no = ?
order by seq / 2097152 desc, seq desc limit ?`;

function newestBuckets(): string {
  return Array.from({ length: WATCHED_BUCKETS }, () => "?").join(", ");
}

/**
 * Reads for each webhook the leased deliveries, the waiting ones that are due first or last (the latter were made
 * last), and the newest ended ones in the newest buckets. All statements see one state of the database.
 */
export function watchDeliveries(
  db: Connection,
  webhookNos: readonly number[],
  perWebhook: number,
): WatchedDeliveries {
  db.exec("begin");
  try {
    return look(db, webhookNos, perWebhook);
  } finally {
    db.exec("commit");
  }
}

function look(
  db: Connection,
  webhookNos: readonly number[],
  perWebhook: number,
): WatchedDeliveries {
  const rows: WatchedRow[] = [];
  const newest = Number(db.get("select max(seq) / 2097152 as no from ended")?.["no"] ?? 0);
  const buckets = Array.from({ length: WATCHED_BUCKETS }, (_, index) => newest - index);
  for (const webhook of db.all(IN_USE, ...buckets, JSON.stringify(webhookNos))) {
    const no = Number(webhook["no"]);
    const found = [
      ...(webhook["leased"] === 1 ? db.all(LIVE, no, perWebhook) : []),
      ...(webhook["pending"] === 1 ? db.all(DUE_FIRST, no, perWebhook) : []),
      ...(webhook["pending"] === 1 ? db.all(DUE_LAST, no, perWebhook) : []),
      ...(webhook["ended"] === 1 ? db.all(ENDED, ...buckets, no, perWebhook) : []),
    ];
    for (const row of found) {
      rows.push({
        seq: Number(row["seq"]),
        webhookNo: no,
        place: String(row["place"]),
        attempts: Number(row["attempts"]),
        createdAt: Number(row["created_at"]),
        webhookState: String(webhook["state"]),
      });
    }
  }
  return watchedDeliveries(db.now(), rows, perWebhook);
}
