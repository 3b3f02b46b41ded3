import type { Connection } from "./connection.ts";

/** How long the oldest due delivery has been due, over active webhooks; a loose scan, a probe per webhook. */
export function oldestDueAgeMs(db: Connection): number {
  const now = db.now();
  let oldest = now;
  let cursor = 0;
  for (;;) {
    const next = db.get(
      "select webhook_no from waiting where webhook_no > ? order by webhook_no limit 1",
      cursor,
    );
    if (next === undefined) return now - oldest;
    cursor = Number(next["webhook_no"]);
    const row = db.get(
      `select q.due_at from waiting q join webhooks w on w.no = q.webhook_no
       where q.webhook_no = ? and q.blocked = 0 and w.state = 'active' and w.cancel_before is null
       order by q.due_at limit 1`,
      cursor,
    );
    if (row !== undefined) oldest = Math.min(oldest, Number(row["due_at"]));
  }
}
