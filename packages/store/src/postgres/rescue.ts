import { deliveryId } from "@markethook/protocol";
import type { Pool, PoolClient } from "pg";
import { healthyAfterMs, judgeMarked, UNKNOWN_OUTCOME } from "../hot/suspicion.ts";
import {
  type InstanceBeat,
  type LeaseName,
  NOTHING_RESCUED,
  type RescueOutcome,
} from "../port/deliveries.ts";
import { REAL } from "./planner-ballast.ts";
import { int4Array, int8Array } from "./binary-array.ts";
import { inTransaction } from "./connection.ts";

/**
 * A sweep reads all of `leased`, dead rows too: at every call it would take up to 5 microseconds per delivery. The code
 * that deletes an instance row frees its leases in the same transaction. So regular sweeps are only for rows that were
 * deleted in another way.
 */
const CALLS_PER_SWEEP = 60;

/**
 * Gives back the deliveries of ended instances. The instance row is deleted first: an accept or claim that still runs
 * under it has a lock on that row, so nothing can be leased to an instance after it was judged.
 */
export function createRescue(
  pool: Pool,
): (silent: readonly InstanceBeat[]) => Promise<RescueOutcome> {
  let callsUntilSweep = 0;
  return async (silent) => {
    if (silent.length === 0 && callsUntilSweep > 0) {
      callsUntilSweep -= 1;
      return NOTHING_RESCUED;
    }
    const isDue = callsUntilSweep <= 0;
    const { sweeps, outcome } = await inTransaction(
      pool,
      async (client) => await endSilent(client, silent, isDue),
    );
    callsUntilSweep = sweeps ? CALLS_PER_SWEEP - 1 : callsUntilSweep - 1;
    return outcome;
  };
}

/** An impossible time is read as the largest or smallest safe number. */
const AS_READ = `least(greatest(i.renewed_at, ${Number.MIN_SAFE_INTEGER}), ${Number.MAX_SAFE_INTEGER})`;

async function endSilent(client: PoolClient, silent: readonly InstanceBeat[], isDue: boolean) {
  const { rows } = await client.query(
    `delete from instances where instance_no in (
       select i.instance_no from instances i
       join unnest($1::bigint[], $2::bigint[]) as s (instance_no, renewed_at) on s.instance_no = i.instance_no and s.renewed_at = ${AS_READ}
       for update of i skip locked
     ) returning instance_no, survived`,
    [
      int8Array(silent.map(({ instanceNo }) => instanceNo)),
      int8Array(silent.map(({ renewedAt }) => renewedAt)),
    ],
  );
  const instanceNos = rows.map((row) => Number(row["instance_no"]));
  const survived = rows
    .filter((row) => row["survived"] === 1)
    .map((row) => Number(row["instance_no"]));
  const sweeps = instanceNos.length > 0 || isDue;
  const freed = sweeps ? await giveBackOrphans(client, survived) : NOTHING_RESCUED;
  return { sweeps, outcome: { ...freed, instanceNos } };
}

/**
 * Deliveries per statement. A large queue in one statement could pass the time limit of the hot path. Then all of its
 * deliveries would be tried again and again, and never be given back.
 */
const PART = 10_000;

/** Picks the first part of such rows, past those that another instance gives back. */
const firstPart = (where: string): string =>
  `seq = any(array(select seq from leased where ${where} order by seq limit ${PART} for update skip locked))`;

/**
 * Deliveries that are given back together are due at the same time, so that they are claimed in the order of their
 * numbers.
 */
async function oneMoment(client: PoolClient): Promise<number> {
  const { rows } = await client.query("select mh_now() as now");
  return Number(rows[0]?.["now"]);
}

/** The column holds no more, and one delivery must not keep the others from being given back. */
const MOST_ATTEMPTS = 2_147_483_647;

const ORPHANED = `${REAL} and instance_no not in (select instance_no from instances)`;

/**
 * Frees every lease whose instance row was deleted. It uses new statements, so their snapshots see the commits of dead
 * instances. `survived`: instances whose process goes on; their deliveries are no suspects.
 */
export async function giveBackOrphans(
  client: PoolClient,
  survived: readonly number[],
): Promise<RescueOutcome> {
  const found = await client.query(
    `select seq, instance_no, suspicion from leased where started = 1 and ${ORPHANED} and instance_no <> all($1::bigint[]) for update`,
    [int8Array(survived)],
  );
  const marked = judgeMarked(
    found.rows.map((row) => ({
      seq: Number(row["seq"]),
      instanceNo: Number(row["instance_no"]),
      suspicion: Number(row["suspicion"]),
    })),
  );
  const now = await oneMoment(client);
  const rows: Record<string, unknown>[] = [];
  let part: Record<string, unknown>[];
  do {
    ({ rows: part } = await client.query<Record<string, unknown>>(
      `with verdicts as (
         select * from unnest($2::bigint[], $3::int[], $4::bigint[]) as v (seq, level, delay)
       ), gone as (
         delete from leased where ${firstPart(ORPHANED)} returning *
       ), judged as (
         select g.*, v.seq is not null as marked, coalesce(v.delay, 0) as delay,
           g.instance_no = any($1::bigint[]) as clean, least(attempts, ${MOST_ATTEMPTS} - 1) + (v.seq is not null)::int as attempts_now,
           case when g.instance_no = any($1::bigint[]) then suspicion else coalesce(v.level, greatest(suspicion, 1)) end as level
         from gone g left join verdicts v using (seq)
       ), lost as (
         insert into attempts (delivery_seq, number, outcome, status, detail)
         select seq, attempts_now, $5, null, json_build_object('at', $6::bigint)::text from judged where marked
         on conflict do nothing
       ), back as (
         insert into pending (seq, event_seq, webhook_no, kind, order_key, lease, due_at, attempts, step, throttled, suspicion, suspected_in, origin, created_at, planned_at)
         select seq, event_seq, webhook_no, kind, order_key, lease, $6::bigint + delay, attempts_now, step, throttled, level,
           case when level > suspicion then instance_no end, origin, created_at, planned_at
         from judged on conflict do nothing
       )
       select level, clean, count(*) as count, max(instance_no) as instance_no from judged group by level, clean`,
      [
        int8Array(survived),
        int8Array(marked.map((one) => one.seq)),
        int4Array(marked.map((one) => one.suspicion)),
        int8Array(marked.map((one) => one.delayMs)),
        UNKNOWN_OUTCOME.outcome,
        now,
      ],
    ));
    rows.push(...part);
  } while (countOf(part) === PART);
  const quarantined = marked.filter((one) => one.quarantined);
  if (quarantined.length > 0) {
    await tellOfQuarantine(
      client,
      quarantined.map(({ seq }) => seq),
    );
  }
  const suspects = rows.filter((row) => row["clean"] === false);
  if (suspects.length > 0) {
    await noteUncleanEnd(client, Math.max(...suspects.map((row) => Number(row["instance_no"]))));
  }
  const levels = Map.groupBy(suspects, (row) => Number(row["level"]));
  return {
    instanceNos: [],
    rescued: countOf(rows),
    suspects: Array.from(levels, ([level, of]) => ({ level, count: countOf(of) })).sort(
      (a, b) => a.level - b.level,
    ),
    quarantined: quarantined.length,
  };
}

function countOf(rows: readonly Record<string, unknown>[]): number {
  return rows.reduce((sum, row) => sum + Number(row["count"]), 0);
}

async function tellOfQuarantine(client: PoolClient, seqs: readonly number[]): Promise<void> {
  const { rows } = await client.query(
    `select d.seq, d.webhook_no, e.tag from pending d join events e on e.seq = d.event_seq where d.seq = any($1::bigint[])`,
    [int8Array(seqs)],
  );
  for (const row of rows) {
    const id = deliveryId({ seq: Number(row["seq"]), tag: String(row["tag"]) });
    await client.query(
      `insert into notices (kind, owner_id, resource_id, webhook_id, detail, created_at)
       select 'delivery_quarantined', owner_id, resource_id, id, $2, mh_now() from webhooks where no = $1`,
      [Number(row["webhook_no"]), JSON.stringify({ deliveryId: id })],
    );
  }
}

async function noteUncleanEnd(client: PoolClient, instanceNo: number): Promise<void> {
  const { rows } = await client.query("select at, mh_now() as now from unclean_end for update");
  const now = Number(rows[0]?.["now"]);
  await client.query(
    "update unclean_end set instance_no = $1, before_at = at, at = $2, healthy_at = $3",
    [instanceNo, now, now + healthyAfterMs(now - Number(rows[0]?.["at"]))],
  );
}

/** Reverts the levels that an instance's end gave, because its process goes on. */
export async function undoUncleanEnd(client: PoolClient, instanceNo: number): Promise<void> {
  await client.query("update instances set survived = 1 where instance_no = $1", [instanceNo]);
  let part = 0;
  do {
    const { rowCount } = await client.query(
      `update pending set suspicion = greatest(suspicion - 1, 0), suspected_in = null
       where seq = any(array(select seq from pending where suspected_in = $1 limit ${PART} for update))`,
      [instanceNo],
    );
    part = rowCount ?? 0;
  } while (part === PART);
  await client.query(
    `update unclean_end set at = before_at, healthy_at = least(healthy_at, before_at + $2::bigint) where instance_no = $1`,
    [instanceNo, healthyAfterMs(0)],
  );
}

/** Gives back an instance's deliveries, except `held`. None becomes a suspect. */
export async function release(
  client: PoolClient,
  instanceNo: number,
  held: readonly LeaseName[] = [],
): Promise<number> {
  const now = await oneMoment(client);
  let [count, part] = [0, 0];
  do {
    const { rows } = await client.query<Record<string, unknown>>(
      `with gone as (
         delete from leased where ${firstPart("instance_no = $1 and (seq, lease) not in (select unnest($2::bigint[]), unnest($3::int[]))")} returning *
       ), back as (
         insert into pending (seq, event_seq, webhook_no, kind, order_key, lease, due_at, attempts, step, throttled, suspicion, origin, created_at, planned_at)
         select seq, event_seq, webhook_no, kind, order_key, lease, $4::bigint, attempts, step, throttled, suspicion, origin, created_at, planned_at
         from gone on conflict do nothing
       )
       select count(*) as count from gone`,
      [
        instanceNo,
        int8Array(held.map(({ seq }) => seq)),
        int4Array(held.map(({ lease }) => lease)),
        now,
      ],
    );
    part = countOf(rows);
    count += part;
  } while (part === PART);
  return count;
}
