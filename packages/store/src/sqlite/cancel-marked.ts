import { endStateNumber } from "../hot/kinds.ts";
import type { Connection } from "./connection.ts";

/** A deleted webhook stays marked this long, for deliveries that were accepted while it was deleted. */
const SETTLED_MS = 60_000;

/** Cancels in bounded steps what deletion, an owner change or a dropped backlog left behind. */
export function cancelMarked(db: Connection, limit: number): number {
  return db.transaction(() => {
    const now = db.now();
    let cancelled = 0;
    for (const webhook of db.all(
      `select no, cancel_before, cancel_reason, resume_after_cancel, deleted_at, updated_at
       from webhooks where cancel_before is not null order by no`,
    )) {
      if (cancelled >= limit) break;
      const no = Number(webhook["no"]);
      const before = Number(webhook["cancel_before"]);
      const rows = db.all(
        "select seq from waiting where webhook_no = ? and seq < ? limit ?",
        no,
        before,
        limit - cancelled,
      );
      for (const { seq } of rows) {
        db.run(
          `insert into done (seq, event_seq, webhook_no, kind, order_key, state, reason, attempts, origin, created_at, ended_at)
           select seq, event_seq, webhook_no, kind, order_key, ?, ?, attempts, origin, created_at, ? from waiting where seq = ?`,
          endStateNumber("cancelled"),
          webhook["cancel_reason"] as string | null,
          now,
          Number(seq),
        );
        db.run("delete from waiting where seq = ?", Number(seq));
      }
      cancelled += rows.length;
      if (rows.length === 0) finish(db, webhook, now);
    }
    return cancelled;
  });
}

function finish(db: Connection, webhook: Record<string, unknown>, now: number): void {
  const no = Number(webhook["no"]);
  if (Number(webhook["resume_after_cancel"]) === 1) {
    db.run(
      `update webhooks set cancel_before = null, cancel_reason = null, resume_after_cancel = 0,
         state = 'active', reason = null, probe_at = null, updated_at = ? where no = ?`,
      now,
      no,
    );
  } else if (
    webhook["deleted_at"] !== null &&
    Number(webhook["updated_at"]) < now - SETTLED_MS &&
    db.get("select 1 from live where webhook_no = ? limit 1", no) === undefined
  ) {
    db.run("update webhooks set cancel_before = null where no = ?", no);
  }
}
