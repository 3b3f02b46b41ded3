import { deliveryRange } from "../hot/numbers.ts";
import { postedUpTo } from "../management/notices/notice-position.ts";
import {
  isUnderWay,
  noticesKeptMs,
  type PruneCursor,
  type PruneStep,
} from "../hot/repeat-prune.ts";
import type { Connection } from "./connection.ts";
import type { Keys } from "./idempotency-keys.ts";

/**
 * Walks the oldest rows in order of number and deletes those that ended before the given time. One call reads at most
 * `limit` rows of each table. Rows that have not ended are never deleted.
 */
export function prune(
  db: Connection,
  keys: Keys,
  cursor: PruneCursor,
  retentionMs: number,
  idempotencyMs: number,
  limit: number,
): PruneStep {
  return db.transaction(() => {
    const now = db.pruneNow();
    const begun = isUnderWay(cursor);
    const prunedKeys = keys.prune(now, idempotencyMs, limit);
    const ended = pruneEnded(db, cursor, now - retentionMs, limit);
    const events = pruneEvents(db, cursor, now - retentionMs, limit);
    const notices = pruneNotices(db, cursor, now - noticesKeptMs(retentionMs), limit);
    return { pruned: prunedKeys + ended + events + notices, more: begun || isUnderWay(cursor) };
  });
}

function pruneEnded(db: Connection, cursor: PruneCursor, before: number, limit: number): number {
  const rows = db.all(
    "select seq, created_at, ended_at from ended where seq > ? order by seq limit ?",
    cursor.ended,
    limit,
  );
  let pruned = 0;
  for (const row of rows) {
    if (Number(row["ended_at"]) >= before) continue;
    db.run("delete from attempts where delivery_seq = ?", Number(row["seq"]));
    pruned += db.run("delete from ended where seq = ?", Number(row["seq"]));
  }
  const last = rows.at(-1);
  const reachedYoung =
    last === undefined || Number(last["created_at"]) >= before || rows.length < limit;
  cursor.ended = reachedYoung ? 0 : Number(last["seq"]);
  return pruned;
}

function pruneEvents(db: Connection, cursor: PruneCursor, before: number, limit: number): number {
  const rows = db.all(
    "select seq, touched_at, accepted_at from events where seq > ? order by seq limit ?",
    cursor.events,
    limit,
  );
  let pruned = 0;
  for (const row of rows) {
    if (Number(row["touched_at"]) >= before) continue;
    const seq = Number(row["seq"]);
    if (isUsed(db, seq)) continue;
    db.run("delete from chat_messages where event_seq = ?", seq);
    pruned += db.run("delete from events where seq = ?", seq);
  }
  const last = rows.at(-1);
  const reachedYoung =
    last === undefined || Number(last["accepted_at"]) >= before || rows.length < limit;
  cursor.events = reachedYoung ? 0 : Number(last["seq"]);
  return pruned;
}

/** Notices that are still to be posted stay, and the one that says since when a webhook is disabled. */
function pruneNotices(db: Connection, cursor: PruneCursor, before: number, limit: number): number {
  const posts = db.get("select value from meta where key = 'notice_posts'");
  const rows = db.all(
    "select no, created_at from notices where no > ? and no <= ? order by no limit ?",
    cursor.notices,
    postedUpTo(posts?.["value"]),
    limit,
  );
  let pruned = 0;
  for (const row of rows) {
    if (Number(row["created_at"]) >= before) continue;
    pruned += db.run(
      `delete from notices where no = ? and not (kind = 'webhook_disabled' and exists (
         select 1 from webhooks w where w.id = notices.webhook_id and w.state = 'disabled'
       ))`,
      Number(row["no"]),
    );
  }
  const last = rows.at(-1);
  const reachedYoung =
    last === undefined || Number(last["created_at"]) >= before || rows.length < limit;
  cursor.notices = reachedYoung ? 0 : Number(last["no"]);
  return pruned;
}

/** Used by its own deliveries, which are in its range of numbers, or by redeliveries, which have any number. */
function isUsed(db: Connection, eventSeq: number): boolean {
  const range = deliveryRange(eventSeq);
  return ["leased", "pending", "ended"].some(
    (table) =>
      db.has(`select 1 from ${table} where seq between ? and ? limit 1`, ...range) ||
      db.has(`select 1 from ${table} where event_seq = ? and origin = 1 limit 1`, eventSeq),
  );
}
