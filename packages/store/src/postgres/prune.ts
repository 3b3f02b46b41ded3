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

const next = (table: string, no: string, madeAt: string, endedAt: string): string =>
  `select ${no} as no, ${endedAt} < mh_now() - $4::bigint as old, ${madeAt} < mh_now() - $4::bigint as aged
   from ${table} where ${no} > $1 and ${no} <= $2 order by ${no} limit $3`;

/** The next rows of each walk. */
const NEXT: Readonly<Record<keyof PruneCursor, string>> = {
  ended: next("ended", "seq", "created_at", "ended_at"),
  events: next("events", "seq", "accepted_at", "touched_at"),
  notices: next("notices", "no", "created_at", "created_at"),
};

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
  return await inTransaction(pool, async (client) => {
    Object.assign(cursor, start);
    const keys = await pruneKeys(client, idempotencyMs, limit);
    const ended = await walk(client, "ended", retentionMs, (old) => forgetEnded(client, old));
    const events = await walk(client, "events", retentionMs, (old) =>
      forgetEvents(client, old, retentionMs),
    );
    // Those that are still to be posted stay.
    const posts = await client.query("select value from meta where key = 'notice_posts'");
    const posted = postedUpTo(posts.rows[0]?.["value"]);
    const keptMs = noticesKeptMs(retentionMs);
    const forget = (old: number[]) => forgetNotices(client, old);
    const notices = await walk(client, "notices", keptMs, forget, posted);
    return { pruned: keys + ended + events + notices, more: begun || isUnderWay(cursor) };
  });

  /** Removes old rows among the next ones. Starts over at rows that are too young, or at the end. */
  async function walk(
    client: PoolClient,
    name: keyof PruneCursor,
    keptMs: number,
    remove: (old: number[]) => Promise<number>,
    upTo = Number.MAX_SAFE_INTEGER,
  ): Promise<number> {
    const { rows } = await client.query(NEXT[name], [cursor[name], upTo, limit, keptMs]);
    const old = rows.filter((row) => row["old"] === true).map((row) => Number(row["no"]));
    const pruned = await remove(old);
    const last = rows.at(-1);
    cursor[name] = rows.length < limit || last?.["aged"] !== true ? 0 : Number(last["no"]);
    return pruned;
  }
}

/**
 * Passes over rows that another instance prunes or an erasure changes: waiting for them can deadlock. The next walk looks
 * at them again.
 */
async function forgetEnded(client: PoolClient, old: number[]): Promise<number> {
  const gone = await client.query(
    `delete from ended where seq = any(array(
       select seq from ended where seq = any($1::bigint[]) order by seq for update skip locked))
     returning seq`,
    [old],
  );
  await client.query("delete from attempts where delivery_seq = any($1)", [seqsOf(gone.rows)]);
  return gone.rowCount ?? 0;
}

function seqsOf(rows: readonly { seq?: unknown }[]): number[] {
  return rows.map(({ seq }) => Number(seq));
}

/**
 * Passes over rows as `forgetEnded` does. Redeliveries are looked for again once the events are locked: one that was being
 * stored while the first statement ran is not in its snapshot.
 */
async function forgetEvents(
  client: PoolClient,
  old: readonly number[],
  retentionMs: number,
): Promise<number> {
  const ranges = old.map((seq) => deliveryRange(seq));
  // Used by its own deliveries, which are in its range of numbers, or by redeliveries, which have any number.
  const own = (table: string): string =>
    `exists (select 1 from ${table} d where d.seq between i.first and i.last)`;
  const again = (table: string): string =>
    `exists (select 1 from ${table} d where d.event_seq = e.seq and d.origin = 1)`;
  const any = (used: (table: string) => string): string =>
    ["leased", "pending", "ended"].map(used).join(" or ");
  const unused = await client.query(
    `select e.seq from events e join unnest($1::bigint[], $2::bigint[]) as i (first, last)
       on e.seq = i.first / (i.last - i.first + 1)
     where e.touched_at < mh_now() - $3::bigint -- again: a redelivery may have touched it since
       and not (${any(own)} or ${any(again)})
     order by e.seq for update of e skip locked`,
    [ranges.map(([first]) => first), ranges.map(([, last]) => last), retentionMs],
  );
  const gone = await client.query(
    `delete from events e where seq = any($1::bigint[]) and not (${any(again)}) returning seq`,
    [seqsOf(unused.rows)],
  );
  await client.query("delete from chat_messages where event_seq = any($1)", [seqsOf(gone.rows)]);
  return gone.rowCount ?? 0;
}

/** The one that says since when a webhook is disabled stays. */
async function forgetNotices(client: PoolClient, old: number[]): Promise<number> {
  const { rowCount } = await client.query(
    `delete from notices n where n.no = any($1) and not (n.kind = 'webhook_disabled' and exists (
       select 1 from webhooks w where w.id = n.webhook_id and w.state = 'disabled'
     ))`,
    [old],
  );
  return rowCount ?? 0;
}
