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

/** Number, when it was made, and when it ended, of the next rows of each walk. */
const NEXT: Readonly<Record<keyof PruneCursor, string>> = {
  ended:
    "select seq, created_at, ended_at from ended where seq > ? and seq <= ? order by seq limit ?",
  events:
    "select seq, accepted_at, touched_at from events where seq > ? and seq <= ? order by seq limit ?",
  notices:
    "select no, created_at, created_at from notices where no > ? and no <= ? order by no limit ?",
};
/** The one that says since when a webhook is disabled stays. */
const FORGET_NOTICE = `delete from notices where no = ? and not (kind = 'webhook_disabled' and exists (
  select 1 from webhooks w where w.id = notices.webhook_id and w.state = 'disabled'
))`;

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
    const ended = walk("ended", now - retentionMs, (seq) => {
      db.run("delete from attempts where delivery_seq = ?", seq);
      return db.run("delete from ended where seq = ?", seq);
    });
    const events = walk("events", now - retentionMs, (seq) => {
      if (isUsed(db, seq)) return 0;
      db.run("delete from chat_messages where event_seq = ?", seq);
      return db.run("delete from events where seq = ?", seq);
    });
    // Those that are still to be posted stay.
    const posts = db.get("select value from meta where key = 'notice_posts'");
    const posted = postedUpTo(posts?.["value"]);
    const forget = (no: number): number => db.run(FORGET_NOTICE, no);
    const notices = walk("notices", now - noticesKeptMs(retentionMs), forget, posted);
    return { pruned: prunedKeys + ended + events + notices, more: begun || isUnderWay(cursor) };
  });

  /** Removes old rows among the next ones. Starts over at rows that are too young, or at the end. */
  function walk(
    name: keyof PruneCursor,
    before: number,
    remove: (no: number) => number,
    upTo = Number.MAX_SAFE_INTEGER,
  ): number {
    const rows = db.lists(NEXT[name], cursor[name], upTo, limit);
    let pruned = 0;
    for (const [no, , endedAt] of rows) if (Number(endedAt) < before) pruned += remove(Number(no));
    const [last, madeAt] = rows.at(-1) ?? [];
    cursor[name] = rows.length < limit || Number(madeAt) >= before ? 0 : Number(last);
    return pruned;
  }
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
