import type { Pool, PoolClient } from "pg";
import { postedUpTo } from "../management/notices/notice-position.ts";
import {
  isUnderWay,
  noticesKeptMs,
  type PruneCursor,
  type PruneStep,
} from "../hot/repeat-prune.ts";
import { deliveryRange } from "../hot/numbers.ts";
import { inTransaction } from "./connection.ts";
import { beginGeneration, pruneKeys } from "./idempotency-keys.ts";

/**
 * Walks the oldest rows in order of number and deletes those that ended before the given time. One call reads at most
 * `limit` rows of each table. Rows that have not ended are never deleted.
 */
export async function prune(
  pool: Pool,
  cursor: PruneCursor,
  retentionMs: number,
  idempotencyMs: number,
  limit: number,
): Promise<PruneStep> {
  const begun = isUnderWay(cursor);
  await beginGeneration(pool, idempotencyMs);
  const start = { ...cursor };
  const step = async (client: PoolClient): Promise<PruneStep> => {
    Object.assign(cursor, start);
    const keys = await pruneKeys(client, idempotencyMs, limit);
    const ended = await pruneEnded(client, cursor, retentionMs, limit);
    const events = await pruneEvents(client, cursor, retentionMs, limit);
    const notices = await pruneNotices(client, cursor, noticesKeptMs(retentionMs), limit);
    return {
      pruned: keys + ended + events + notices,
      more: begun || isUnderWay(cursor),
    };
  };
  return await inTransaction(pool, step);
}

async function pruneEnded(
  client: PoolClient,
  cursor: PruneCursor,
  retentionMs: number,
  limit: number,
): Promise<number> {
  const { rows } = await client.query(
    `select seq, ended_at < mh_now() - $3::bigint as old, created_at < mh_now() - $3::bigint as aged
     from ended where seq > $1 order by seq limit $2`,
    [cursor.ended, limit, retentionMs],
  );
  const old = rows.filter((row) => row["old"] === true).map((row) => Number(row["seq"]));
  await client.query("delete from attempts where delivery_seq = any($1)", [old]);
  const { rowCount } = await client.query("delete from ended where seq = any($1)", [old]);
  cursor.ended = next(rows, limit);
  return rowCount ?? 0;
}

async function pruneEvents(
  client: PoolClient,
  cursor: PruneCursor,
  retentionMs: number,
  limit: number,
): Promise<number> {
  const { rows } = await client.query(
    `select seq, touched_at < mh_now() - $3::bigint as old, accepted_at < mh_now() - $3::bigint as aged
     from events where seq > $1 order by seq limit $2`,
    [cursor.events, limit, retentionMs],
  );
  const old = rows
    .filter((row) => row["old"] === true)
    .map((row) => deliveryRange(Number(row["seq"])));
  // Used by its own deliveries, which are in its range of numbers, or by redeliveries, which have any number.
  const used = (table: string): string =>
    `exists (select 1 from ${table} d where d.seq between i.first and i.last)
     or exists (select 1 from ${table} d where d.event_seq = e.seq and d.origin = 1)`;
  const gone = await client.query(
    `delete from events e using unnest($1::bigint[], $2::bigint[]) as i (first, last)
     where e.seq = i.first / (i.last - i.first + 1)
       and e.touched_at < mh_now() - $3::bigint -- again: a redelivery may have touched it since
       and not (${used("leased")} or ${used("pending")} or ${used("ended")})
     returning e.seq`,
    [old.map(([first]) => first), old.map(([, last]) => last), retentionMs],
  );
  await client.query("delete from chat_messages where event_seq = any($1)", [
    gone.rows.map((row) => Number(row["seq"])),
  ]);
  cursor.events = next(rows, limit);
  return gone.rowCount ?? 0;
}

/** Notices that are still to be posted stay, and the one that says since when a webhook is disabled. */
async function pruneNotices(
  client: PoolClient,
  cursor: PruneCursor,
  keptMs: number,
  limit: number,
): Promise<number> {
  const { rows: posts } = await client.query("select value from meta where key = 'notice_posts'");
  const { rows } = await client.query(
    `select no as seq, created_at < mh_now() - $3::bigint as aged
     from notices where no > $1 and no <= $4 order by no limit $2`,
    [cursor.notices, limit, keptMs, postedUpTo(posts[0]?.["value"])],
  );
  const old = rows.filter((row) => row["aged"] === true).map((row) => Number(row["seq"]));
  const { rowCount } = await client.query(
    `delete from notices n where n.no = any($1) and not (n.kind = 'webhook_disabled' and exists (
       select 1 from webhooks w where w.id = n.webhook_id and w.state = 'disabled'
     ))`,
    [old],
  );
  cursor.notices = next(rows, limit);
  return rowCount ?? 0;
}

/** Starts over at rows that are too young, or at the end. */
function next(rows: readonly Record<string, unknown>[], limit: number): number {
  const last = rows.at(-1);
  return last === undefined || last["aged"] !== true || rows.length < limit
    ? 0
    : Number(last["seq"]);
}
