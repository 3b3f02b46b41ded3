import { ALL_WEBHOOKS, REPLY_COLUMNS, totalsOf } from "../hot/attempt-counts.ts";
import {
  type AttemptCount,
  HISTORY_HOURS,
  OLDEST_KEPT_HOURS,
  hourOf,
} from "../port/attempt-counts.ts";
import type { Connection } from "./connection.ts";

const SUMS = ["ok", "failed", "given_up", ...REPLY_COLUMNS];
const LAST = ["last_at", "last_outcome", "last_status", "last_ok_at", "ok_events"];

/** As `valuesOf` has them. */
const COLUMNS = [...SUMS, ...LAST, "hour", "webhook_no"];

const given = (name: string): string => `?${COLUMNS.indexOf(name) + 1}`;
const ofNewest = (name: string): string =>
  `${name} = case when ${given("last_at")} >= last_at then ${given(name)} else ${name} end`;

const UPDATE = `update attempt_counts set ${SUMS.map((name) => `${name} = ${name} + ${given(name)}`).join(", ")},
  ${["last_at", "last_outcome", "last_status"].map(ofNewest).join(", ")},
  last_ok_at = max(last_ok_at, ${given("last_ok_at")}), ok_events = ok_events | ${given("ok_events")}
where hour = ${given("hour")} and webhook_no = ${given("webhook_no")}`;

const INSERT = `insert into attempt_counts (${COLUMNS.join(", ")})
select ${[...SUMS, ...LAST, "hour"].map(() => "?").join(", ")}, counted
from (select ? as counted)
where counted = ${ALL_WEBHOOKS} or exists (select 1 from webhooks where no = counted and deleted_at is null)`;

const MOVED = ["webhook_no", "hour", ...SUMS];

const FORGET = `delete from attempt_counts where webhook_no = ? and hour < ?
returning ${MOVED.join(", ")}, last_ok_at, ok_events`;

const MOVE = `insert into attempt_history (${MOVED.join(", ")}) values (${MOVED.map(() => "?").join(", ")})
on conflict (webhook_no, hour) do update set ${SUMS.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`;

/**
 * Most of these rows exist for this hour already: one statement for each, and none to prepare them. Counts of a webhook
 * that was deleted meanwhile are dropped.
 */
export function addAttemptCounts(db: Connection, counts: readonly AttemptCount[]): void {
  db.transaction(() => {
    const now = db.now();
    const oldest = hourOf(now) - OLDEST_KEPT_HOURS;
    for (const count of [...totalsOf(counts), ...counts]) {
      const values = valuesOf(count, now);
      if (db.run(UPDATE, ...values) > 0) continue;
      // Only for webhooks that get a newer row.
      forgetOlder(db, count.webhookNo, oldest);
      db.write(INSERT, ...values);
    }
  });
}

/** Where the machine's clock is ahead of the database's, it must not hide later attempts until then. */
function valuesOf(count: AttemptCount, now: number) {
  return [
    count.ok,
    count.failed,
    count.givenUp,
    ...count.replies,
    Math.min(count.lastAt, now),
    count.lastOutcome,
    count.lastStatus,
    Math.min(count.lastOkAt, now),
    count.okEvents,
    count.hour,
    count.webhookNo,
  ];
}

/** Moves the sent counts of these hours to the history; the accepted event names are kept. */
function forgetOlder(db: Connection, webhookNo: number, oldest: number): void {
  const forgotten = db.all(FORGET, webhookNo, oldest);
  if (forgotten.length === 0) return;
  for (const row of forgotten) {
    db.write(MOVE, ...MOVED.map((name) => Number(row[name])));
    const events = Number(row["ok_events"]);
    for (let kind = 0; events >> kind > 0; kind += 1) {
      if ((events & (1 << kind)) === 0) continue;
      db.write(
        `insert into accepted_events (webhook_no, kind, last_at) values (?, ?, ?)
         on conflict (webhook_no, kind) do update set last_at = max(last_at, excluded.last_at)`,
        webhookNo,
        kind,
        Number(row["last_ok_at"]),
      );
    }
  }
  db.write(
    "delete from attempt_history where webhook_no = ? and hour < ?",
    webhookNo,
    oldest + OLDEST_KEPT_HOURS - HISTORY_HOURS,
  );
}
