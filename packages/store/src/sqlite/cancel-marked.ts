import { nullableText } from "../hot/rows.ts";
import { endStateNumber } from "../hot/kinds.ts";
import {
  type CancelCursor,
  DROPPED,
  FORGET_DELETED,
  LOOKED_AT_ONCE,
  MARKED_AT_ONCE,
  SETTLED_MS,
} from "../management/webhooks/webhook-row.ts";
import type { Connection, Row } from "./connection.ts";

/** The next marked webhooks for which there is something to do. */
const WITH_WORK = `select no, cancel_before, cancel_reason, deleted_at, updated_at from (
    select * from webhooks where cancel_before is not null and no > ? order by no limit ${LOOKED_AT_ONCE}
  ) w
  where cancel_reason = ? or (deleted_at is not null and updated_at < ?)
    or exists (select 1 from pending d where d.webhook_no = w.no and d.seq < w.cancel_before)
  order by no limit ${MARKED_AT_ONCE}`;

/** The last of those that were looked at; none at the end. */
const LAST = `select no from webhooks where cancel_before is not null and no > ?
  order by no limit 1 offset ${LOOKED_AT_ONCE - 1}`;

/** Cancels, in bounded steps, deliveries that a deletion, a change of owner or a dropped backlog left behind. */
export function cancelMarked(db: Connection, cursor: CancelCursor, limit: number): number {
  return db.transaction(() => {
    const now = db.now();
    let cancelled = 0;
    let finished = 0;
    for (const webhook of db.all(WITH_WORK, cursor.after, DROPPED, now - SETTLED_MS)) {
      if (cancelled >= limit) break;
      const no = Number(webhook["no"]);
      const before = Number(webhook["cancel_before"]);
      const rows = db.all(
        "select seq from pending where webhook_no = ? and seq < ? limit ?",
        no,
        before,
        limit - cancelled,
      );
      for (const { seq } of rows) {
        db.run(
          `insert into ended (seq, event_seq, webhook_no, kind, order_key, state, reason, attempts, outcome, status, origin, created_at, ended_at)
           select q.seq, event_seq, webhook_no, kind, order_key, ?, ?, attempts, a.outcome, a.status, origin, created_at, ?
           from pending q left join attempts a on a.delivery_seq = q.seq and a.number = q.attempts where q.seq = ?
           on conflict do nothing`,
          endStateNumber("cancelled"),
          nullableText(webhook["cancel_reason"]),
          now,
          Number(seq),
        );
        db.run("delete from pending where seq = ?", Number(seq));
      }
      cancelled += rows.length;
      if (rows.length === 0) finished += finish(db, webhook, now);
    }
    if (cancelled + finished === 0) cursor.after = Number(db.get(LAST, cursor.after)?.["no"] ?? 0);
    return cancelled;
  });
}

/** Leased deliveries may still come back: the mark stays until they have ended too. Returns how many marks are gone. */
function finish(db: Connection, webhook: Row, now: number): number {
  const no = Number(webhook["no"]);
  const before = Number(webhook["cancel_before"]);
  if (db.has("select 1 from leased where webhook_no = ? and seq < ? limit 1", no, before)) return 0;
  if (webhook["deleted_at"] !== null) {
    if (Number(webhook["updated_at"]) >= now - SETTLED_MS) return 0;
    return db.run(`update webhooks set cancel_before = null, ${FORGET_DELETED} where no = ?`, no);
  }
  if (webhook["cancel_reason"] !== DROPPED) return 0;
  // Resumes it only from the state in which the owner left it: a final answer may have disabled it meanwhile.
  return db.run(
    `update webhooks set cancel_before = null, cancel_reason = null, resume_after_cancel = 0,
       state = case when state = 'paused' and resume_after_cancel = 1 then 'active' else state end,
       updated_at = ? where no = ?`,
    now,
    no,
  );
}
