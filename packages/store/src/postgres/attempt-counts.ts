import type { Pool } from "pg";
import { ALL_WEBHOOKS, REPLY_COLUMNS, totalsOf } from "../hot/attempt-counts.ts";
import { type AttemptCount, HISTORY_HOURS, OLDEST_KEPT_HOURS } from "../port/attempt-counts.ts";
import { int8Array } from "./binary-array.ts";
import { type Column, columnList } from "./column-list.ts";
import { inTransaction } from "./connection.ts";

const SUMS: Readonly<Record<string, Column<AttemptCount>>> = {
  ok: ["int", (count) => count.ok],
  failed: ["int", (count) => count.failed],
  given_up: ["int", (count) => count.givenUp],
  ...Object.fromEntries(
    REPLY_COLUMNS.map((name, index): [string, Column<AttemptCount>] => [
      name,
      ["int", ({ replies }) => replies[index] ?? 0],
    ]),
  ),
};

const COUNTS = columnList<AttemptCount>({
  webhook_no: ["bigint", (count) => count.webhookNo],
  hour: ["bigint", (count) => count.hour],
  last_at: ["bigint", (count) => count.lastAt],
  last_outcome: ["text", (count) => count.lastOutcome],
  last_status: ["int", (count) => count.lastStatus],
  last_ok_at: ["bigint", (count) => count.lastOkAt],
  ok_events: ["smallint", (count) => count.okEvents],
  ...SUMS,
});

/** A machine whose clock is ahead must not hide what others do until then. */
const NOT_AHEAD = COUNTS.names.replace(/last_at|last_ok_at/g, "least(i.$&, clock.now)");

const ADD = `insert into attempt_counts (${COUNTS.names})
select ${NOT_AHEAD} from (select mh_now() as now) clock, unnest(${COUNTS.casts}) as i (${COUNTS.names})
left join webhooks w on w.no = i.webhook_no and w.deleted_at is null
where w.no is not null or i.webhook_no = ${ALL_WEBHOOKS}
order by i.webhook_no, i.hour
on conflict (webhook_no, hour) do update set
  ${["last_at", "last_outcome", "last_status"].map(ofNewest).join(", ")},
  last_ok_at = greatest(attempt_counts.last_ok_at, excluded.last_ok_at),
  ok_events = attempt_counts.ok_events | excluded.ok_events,
  ${added("attempt_counts")}`;

const MOVED = ["webhook_no", "hour", ...Object.keys(SUMS)].join(", ");

/**
 * Only for webhooks that have just got a newer row: sent counts move to the history, and the accepted event names are
 * kept. The current time is read once, so that the index finds old rows.
 */
const FORGET = `with gone as (
  delete from attempt_counts
  where webhook_no = any($1::bigint[]) and hour < (select mh_now() / 3600000 - $2::bigint)
  returning ${MOVED}, last_ok_at, ok_events
), moved as (
  insert into attempt_history (${MOVED}) select ${MOVED} from gone order by webhook_no, hour
  on conflict (webhook_no, hour) do update set ${added("attempt_history")}
), outdated as (
  delete from attempt_history
  where webhook_no in (select webhook_no from gone) and hour < (select mh_now() / 3600000 - $3::bigint)
)
insert into accepted_events (webhook_no, kind, last_at)
select webhook_no, kind, max(last_ok_at)
from gone join generate_series(0, 14) kind on ok_events & (1 << kind) <> 0
group by webhook_no, kind order by webhook_no, kind
on conflict (webhook_no, kind) do update set last_at = greatest(accepted_events.last_at, excluded.last_at)`;

/**
 * Sorted like every write of several rows, so that two instances do not deadlock. Counts of a webhook that was deleted
 * meanwhile are dropped.
 */
export async function addAttemptCounts(pool: Pool, added: readonly AttemptCount[]): Promise<void> {
  const counts = [...totalsOf(added), ...added];
  const webhookNos = int8Array(counts.map((count) => count.webhookNo));
  await inTransaction(pool, async (client) => {
    await client.query(ADD, COUNTS.arrays(counts));
    await client.query(FORGET, [webhookNos, OLDEST_KEPT_HOURS, HISTORY_HOURS]);
  });
}

/** Each instance stores its counts some time after the attempts: those of a later one may be stored already. */
function ofNewest(name: string): string {
  return `${name} = case when excluded.last_at >= attempt_counts.last_at then excluded.${name} else attempt_counts.${name} end`;
}

/** A count that is as large as its column can hold stays so: otherwise it would keep all others from being added. */
function added(table: string): string {
  return Object.keys(SUMS)
    .map((name) => `${name} = least(${table}.${name}::bigint + excluded.${name}, 2147483647)`)
    .join(", ");
}
