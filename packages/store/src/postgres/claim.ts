import type { Pool, PoolClient } from "pg";
import { isAboutRows } from "../row-faults.ts";
import { number, queuedDelivery } from "../hot/rows.ts";
import { SUSPECT_ALONE_FROM } from "../hot/suspicion.ts";
import {
  LEASED_TOO,
  readOne,
  UNREADABLE_WAIT_MS,
  type UnreadableDelivery,
} from "../hot/unreadable.ts";
import type {
  ClaimOutcome,
  ClaimRequest,
  LeaseName,
  OrderPair,
  QueuedDelivery,
} from "../port/deliveries.ts";
import { LeaseLostError } from "../port/instances.ts";
import { columnList } from "./column-list.ts";
import { inTransaction } from "./connection.ts";
import type { RowsReadPast, Scanned } from "./rows-read-past.ts";

/** A longer list of full webhooks costs more than the statement that makes it short. */
const LONG_LIST = 1000;

interface Candidate {
  seq: number;
  webhookNo: number;
  orderKey: number | null;
  blocked: boolean;
}

const BEHIND = `(q.order_key is not null and (
  exists (select 1 from leased d where d.webhook_no = q.webhook_no and d.order_key = q.order_key and d.seq < q.seq)
  or exists (select 1 from pending d where d.webhook_no = q.webhook_no and d.order_key = q.order_key and d.seq < q.seq)))`;

/** Quarantined deliveries stay so. Other suspects count as such only for some time after the end of their process. */
const LEVEL_NOW = `case when g.suspicion > ${SUSPECT_ALONE_FROM} or mh_now() < (select healthy_at from unclean_end) then g.suspicion else 0 end`;

/**
 * Whether the webhook of this number may be sent to, and is not one of `full`. The conditions are selected, so that the
 * primary key is the only way to the row. As conditions, for webhooks that were just imported, the planner took the index
 * by state and read all active webhooks for each number.
 */
const sendable = (no: string, full: string): string =>
  `(select w.state = 'active' and w.deleted_at is null and w.cancel_before is null and w.no <> all(${full}::bigint[])
    from webhooks w where w.no = ${no})`;

/**
 * A loose index scan: from webhook to webhook through the index, a few due rows of each. It skips rows that another
 * instance is claiming. "Oldest first" would give everything to the webhook with the largest backlog.
 */
export async function claim(
  pool: Pool,
  request: ClaimRequest,
  past: RowsReadPast,
): Promise<ClaimOutcome & Pick<Taken, "unreadable">> {
  const { scanned, ...outcome } = await claimApart(pool, async (client) => {
    const full = await fullAhead(client, request);
    const [held, hinted, scanned] = await Promise.all([
      client.query("select 1 from instances where instance_no = $1 for key share", [
        request.instanceNo,
      ]),
      request.hints.length === 0 ? null : findHinted(client, { ...request, full }),
      scan(client, { ...request, full }, past.positions()),
    ]);
    if (held.rows.length === 0) throw new LeaseLostError(request.instanceNo);
    const candidates = new Map<number, Candidate>();
    for (const one of [...(hinted ?? []), ...scanned.candidates]) candidates.set(one.seq, one);
    const { deliveries, followed, unreadable } = await take(client, request.instanceNo, [
      ...candidates.values(),
    ]);
    const blocked = [...candidates.values()].flatMap(({ blocked, webhookNo, orderKey }) =>
      blocked && orderKey !== null ? [{ webhookNo, orderKey }] : [],
    );
    blocked.push(...followed);
    return { scanned, deliveries, blocked, unreadable };
  });
  past.note(scanned, request.perWebhook);
  const visited = scanned.visited.size;
  const cursor = visited < request.webhooks ? 0 : Math.max(...scanned.visited);
  return { ...outcome, cursor, visited };
}

async function findHinted(client: PoolClient, request: ClaimRequest): Promise<Candidate[]> {
  const { rows } = await client.query(
    `select q.seq, ${BEHIND} as blocked, q.webhook_no, q.order_key
     from unnest($1::bigint[], $2::bigint[]) as h (webhook_no, order_key)
     cross join lateral (
       select * from pending where webhook_no = h.webhook_no and order_key = h.order_key
         and ${sendable("h.webhook_no", "$3")}
       order by seq limit 1 for update skip locked
     ) q
     where q.blocked > 0 or q.due_at <= mh_now()`,
    [
      request.hints.map((hint) => hint.webhookNo),
      request.hints.map((hint) => hint.orderKey),
      request.full,
    ],
  );
  return rows.map(candidate);
}

/** The webhook after this one, of those that have rows. */
const NEXT = (no: string): string =>
  `(select d.webhook_no from pending d where d.webhook_no > ${no} order by d.webhook_no limit 1)`;
/** The same. It does not look for rows of a webhook that has a position, as they are behind those that are read past. */
const NEXT_READ_PAST = (no: string): string =>
  `coalesce(
     (select d.webhook_no from pending d where d.webhook_no > ${no} and d.webhook_no < coalesce(${NEXT_POSITION(no)}, ${LAST_NO})
      order by d.webhook_no limit 1),
     ${NEXT_POSITION(no)})`;
const NEXT_POSITION = (no: string): string =>
  `(select p from unnest($5::bigint[]) p where p > ${no} order by p limit 1)`;
const LAST_NO = "9223372036854775807";

const visited = (next: (no: string) => string): string =>
  `recursive visited (no) as (
     select ${next("$1")}
     union all
     select ${next("v.no")} from visited v where v.no is not null
   )`;
const AHEAD = `with ${visited(NEXT)} select no from visited where no is not null limit $2`;

/** Of a long list those that this claim comes to. The server would compare the number of each webhook with all of them. */
async function fullAhead(
  client: PoolClient,
  { cursor, webhooks, hints, full }: ClaimRequest,
): Promise<readonly number[]> {
  if (full.length <= LONG_LIST) return full;
  const { rows } = await client.query(AHEAD, [cursor, webhooks]);
  const asked = new Set(hints.map((hint) => hint.webhookNo));
  for (const row of rows) asked.add(Number(row["no"]));
  return full.filter((no) => asked.has(no));
}

const scanSql = (next: (no: string) => string, positions: string, after: string): string =>
  `with ${visited(next)}, clock as materialized (select mh_now() as now)
   select v.no, q.seq, q.seq is not null and ${BEHIND} as blocked, q.webhook_no, q.order_key, q.due_at
   from (select no from visited where no is not null limit $2) v
   cross join clock ${positions}
   left join lateral (
     select * from pending
     where webhook_no = v.no and due_at <= clock.now ${after}
       and ${sendable("v.no", "$4")}
     order by due_at, seq limit $3 for update skip locked
   ) q on true
   order by v.no, q.due_at, q.seq`;
const SCAN = scanSql(NEXT, "", "");
const SCAN_READ_PAST = scanSql(
  NEXT_READ_PAST,
  "left join unnest($5::bigint[], $6::bigint[], $7::bigint[]) p (no, due_at, seq) on p.no = v.no",
  "and (due_at, seq) > (coalesce(p.due_at, -1), coalesce(p.seq, 0))",
);

async function scan(
  client: PoolClient,
  request: ClaimRequest,
  positions: ReturnType<RowsReadPast["positions"]>,
) {
  const { cursor, webhooks, perWebhook, full } = request;
  const from = performance.now();
  const { rows } = await client.query(positions === null ? SCAN : SCAN_READ_PAST, [
    cursor,
    webhooks,
    perWebhook,
    full,
    ...(positions ?? []),
  ]);
  return {
    visited: new Set(rows.map((row) => Number(row["no"]))),
    candidates: rows
      .filter((row) => row["seq"] !== null)
      .map((row) => Object.assign(candidate(row), { dueAt: Number(row["due_at"]) })),
    tookMs: performance.now() - from,
  } satisfies Scanned;
}

/**
 * Claims, and again after putting off rows that cannot be moved because they are in `leased`, too. Looking for these each
 * time would cost each claim.
 */
async function claimApart<T extends Pick<Taken, "unreadable">>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  try {
    return await inTransaction(pool, work);
  } catch (error) {
    if (!isAboutRows(error)) throw error;
    const putOff = await inTransaction(
      pool,
      async (client) =>
        await client.query(
          `update pending set due_at = mh_now() + $1::bigint where seq in (select seq from leased) returning seq, webhook_no`,
          [UNREADABLE_WAIT_MS],
        ),
    );
    if (putOff.rows.length === 0) throw error;
    const unreadable = putOff.rows.map((row) => ({
      seq: Number(row["seq"]),
      webhookNo: Number(row["webhook_no"]),
      why: LEASED_TOO,
    }));
    const claimed = await inTransaction(pool, work);
    return { ...claimed, unreadable: [...claimed.unreadable, ...unreadable] };
  }
}

interface Taken {
  deliveries: QueuedDelivery[];
  followed: OrderPair[];
  unreadable: UnreadableDelivery[];
}

/** Moves rows to `leased`. A row behind an earlier one of its order key is checked again later. */
async function take(
  client: PoolClient,
  instanceNo: number,
  candidates: readonly Candidate[],
  probe = false,
): Promise<Taken> {
  const free = candidates.filter((one) => !one.blocked).map((one) => one.seq);
  const blocked = candidates.filter((one) => one.blocked).map((one) => one.seq);
  const [moved] = await Promise.all([
    free.length === 0
      ? null
      : client.query(
          // Random, as after a failover an instance may know of a lease that is lost: the next one has another name.
          `with gone as (delete from pending where seq = any($1) returning *, 1 + floor(random() * 2147483646)::int as next_lease),
           taken as (
             insert into leased (seq, event_seq, webhook_no, kind, order_key, instance_no, lease, attempts, step, throttled, suspicion, origin, created_at, planned_at)
             select seq, event_seq, webhook_no, kind, order_key, $2, next_lease, attempts, step, throttled, suspicion, origin, created_at, planned_at from gone
           )
           -- Anyone who claims the earlier one wakes the later one; it may have been accepted by a process that is gone.
           select g.*, g.next_lease as lease, ${LEVEL_NOW} as suspicion, coalesce(g.planned_at > mh_now(), false)::int as early, e.tag, e.time, e.payload, exists (
             select 1 from pending d
             where d.webhook_no = g.webhook_no and d.order_key = g.order_key and d.seq > g.seq
           ) as followed from gone g left join events e on e.seq = g.event_seq`,
          [free, instanceNo],
        ),
    blocked.length === 0
      ? null
      : client.query(
          `update pending set blocked = least(blocked + 1, 5),
             due_at = mh_now() + least(1000 * (2 ^ blocked)::bigint, 30000)
           where seq = any($1)`,
          [blocked],
        ),
  ]);
  const order = new Map(free.map((seq, index) => [seq, index]));
  const rows = moved?.rows ?? [];
  const unreadable: UnreadableDelivery[] = [];
  const deliveries = rows
    .flatMap((row) => {
      const name = { seq: Number(row["seq"]), webhookNo: Number(row["webhook_no"]) };
      return readOne(name, () => queuedDelivery(row, probe), unreadable) ?? [];
    })
    .sort((a, b) => (order.get(a.seq) ?? 0) - (order.get(b.seq) ?? 0));
  if (unreadable.length > 0) await putBack(client, unreadable);
  const followed = rows
    .filter((row) => row["followed"] === true)
    .map((row) => ({ webhookNo: Number(row["webhook_no"]), orderKey: Number(row["order_key"]) }));
  return { deliveries, followed, unreadable };
}

async function putBack(
  client: PoolClient,
  unreadable: readonly UnreadableDelivery[],
): Promise<void> {
  await client.query(
    `with gone as (delete from leased where seq = any($1) returning *)
     insert into pending (seq, event_seq, webhook_no, kind, order_key, lease, due_at, attempts, step, throttled, suspicion, origin, created_at, planned_at)
     select seq, event_seq, webhook_no, kind, order_key, lease, mh_now() + $2::bigint, attempts, step, throttled, suspicion, origin, created_at, planned_at
     from gone`,
    [unreadable.map(({ seq }) => seq), UNREADABLE_WAIT_MS],
  );
}

/** Returns the oldest held delivery of each webhook that is due for a probe, and the first one in its order. */
export async function claimProbes(
  pool: Pool,
  instanceNo: number,
  limit: number,
  everyMs: number,
): Promise<Pick<Taken, "deliveries" | "unreadable">> {
  return await inTransaction(pool, async (client) => {
    const [held, , due] = await Promise.all([
      client.query("select 1 from instances where instance_no = $1 for key share", [instanceNo]),
      // An array, as the planner does not know the limit: for a list in a subquery it may read all webhooks. None is
      // planned for later, unless the clock was set back.
      client.query(
        `update webhooks set probe_at = mh_now() where no = any(array(
           select no from webhooks where probe_at > (select mh_now()) + $2::bigint
           order by probe_at limit $1 for update skip locked
         ))`,
        [limit, everyMs],
      ),
      client.query(
        `update webhooks set probe_at = mh_now() + $2::bigint where no = any(array(
           select no from webhooks where probe_at <= (select mh_now()) and state = 'disabled' and reason = 'failing'
             and deleted_at is null and cancel_before is null
           order by probe_at limit $1 for update skip locked
         )) returning no`,
        [limit, everyMs],
      ),
    ]);
    if (held.rows.length === 0) throw new LeaseLostError(instanceNo);
    if (due.rows.length === 0) return { deliveries: [], unreadable: [] };
    const { rows } = await client.query(
      `select q.seq, ${BEHIND} as blocked, q.webhook_no, q.order_key
       from unnest($1::bigint[]) as p (no)
       cross join lateral (select seq, order_key from pending where webhook_no = p.no order by due_at, seq limit 1) oldest
       cross join lateral (
         -- Not "is not distinct from", for which no index is used: a failing webhook may hold a million.
         select * from pending where seq = coalesce((
           select d.seq from pending d where d.webhook_no = p.no and d.order_key = oldest.order_key order by d.seq limit 1
         ), oldest.seq) for update skip locked
       ) q
       where not exists (select 1 from leased l where l.seq = q.seq)`,
      [due.rows.map((row) => Number(row["no"]))],
    );
    return await take(client, instanceNo, rows.map(candidate), true);
  });
}

const LEASES = columnList<LeaseName>({
  seq: ["bigint", ({ seq }) => seq],
  lease: ["int", ({ lease }) => lease],
});

export async function markStarted(
  pool: Pool,
  instanceNo: number,
  leases: readonly LeaseName[],
): Promise<number[]> {
  return await inTransaction(pool, async (client) => {
    const { rows } = await client.query(
      `update leased l set started = 1 from (select ${LEASES.unnested}) as i (${LEASES.names})
       where l.seq = i.seq and l.lease = i.lease and l.instance_no = $3 returning l.seq`,
      [...LEASES.arrays(leases), instanceNo],
    );
    return rows.map((row) => Number(row["seq"]));
  });
}

function candidate(row: Record<string, unknown>): Candidate {
  return {
    seq: Number(row["seq"]),
    webhookNo: Number(row["webhook_no"]),
    orderKey: number(row["order_key"]),
    blocked: row["blocked"] === true,
  };
}
