import { SUSPECT_ALONE_FROM } from "../hot/suspicion.ts";
import type { StoreStatistics } from "../port/administration.ts";
import type { Connection } from "./connection.ts";
import { MOST_ASKED } from "../port/delivery-log.ts";
import type { OldestDue } from "../port/deliveries.ts";

const SUSPECTS = `
  select level, sum(count) as count from (
    select suspicion as level, count(*) as count from pending where suspicion > 0 group by suspicion
    union all select suspicion, count(*) from leased where suspicion > 0 group by suspicion
  ) where level > ${SUSPECT_ALONE_FROM} or ? < (select healthy_at from unclean_end)
  group by level order by level`;

/** Whole tables are counted by their pages, which is fast; webhooks by an index. */
export function statistics(db: Connection): StoreStatistics {
  const count = (table: "pending" | "leased" | "instances"): number =>
    Number(db.get(`select count(*) as count from ${table}`)?.["count"]);
  const states = new Map(
    db
      .all("select state, count(*) as count from webhooks where deleted_at is null group by state")
      .map((row) => [row["state"], Number(row["count"])]),
  );
  return {
    pending: count("pending"),
    leased: count("leased"),
    instances: count("instances"),
    webhooks: {
      active: states.get("active") ?? 0,
      paused: states.get("paused") ?? 0,
      disabled: states.get("disabled") ?? 0,
    },
    suspects: db
      .all(SUSPECTS, db.now())
      .map((row) => ({ level: Number(row["level"]), count: Number(row["count"]) })),
    sizeBytes:
      Number(db.get("pragma page_count")?.["page_count"]) *
      Number(db.get("pragma page_size")?.["page_size"]),
  };
}

/** See `DeliveryStore.oldestDue`: a loose scan, a probe per webhook. */
export function oldestDue(
  db: Connection,
  above: number,
  upTo: number,
  most: number,
  without: readonly number[] = [],
): OldestDue {
  const leftOut = new Set(without);
  const now = db.now();
  let oldest = now;
  let cursor = above;
  for (let webhooks = 0; webhooks < most; webhooks += 1) {
    const next = db.get(
      "select webhook_no from pending where webhook_no > ? and webhook_no <= ? order by webhook_no limit 1",
      cursor,
      upTo,
    );
    if (next === undefined) return { ageMs: now - oldest, webhooks, lastNo: null };
    cursor = Number(next["webhook_no"]);
    if (leftOut.has(cursor)) continue;
    const row = db.get(
      `select q.due_at from pending q join webhooks w on w.no = q.webhook_no
       where q.webhook_no = ? and q.due_at < ? and q.blocked = 0 and w.state = 'active' and w.cancel_before is null
       order by q.due_at limit 1`,
      cursor,
      oldest,
    );
    if (row === undefined || isFailing(db, cursor) || isAskedToWait(db, cursor, now)) continue;
    oldest = Math.max(0, Number(row["due_at"]));
  }
  return { ageMs: now - oldest, webhooks: most, lastNo: cursor };
}

function isFailing(db: Connection, webhookNo: number): boolean {
  return db.has(
    "select 1 from webhook_health where webhook_no = ? and failing_since is not null",
    webhookNo,
  );
}

function isAskedToWait(db: Connection, webhookNo: number, now: number): boolean {
  return db.has(
    `select 1 from (
       select asked_until from pending where webhook_no = ? and due_at > ? order by due_at limit ?
     ) where asked_until > ? limit 1`,
    webhookNo,
    now,
    MOST_ASKED,
    now,
  );
}
