import type { Pool, PoolClient } from "pg";
import { endStateNumber } from "../hot/kinds.ts";
import { LOST_ATTEMPT } from "../hot/lost-attempt.ts";
import type { LeaseName, RescueOutcome } from "../port/deliveries.ts";
import { int4Array, int8Array } from "./binary-array.ts";
import { inTransaction } from "./connection.ts";

/**
 * A sweep reads all of `live`, dead rows too: at every call it took up to 5 microseconds per delivery. Whoever deletes a
 * life's row frees its leases in the same transaction; so without one, sweeps are only for rows that somebody else
 * deleted.
 */
const CALLS_PER_SWEEP = 60;

/**
 * Gives back what ended lives held. The instance row goes first: an accept or claim that still runs under it holds
 * that row, so nothing can be leased to a life after it was judged.
 */
export function createRescue(
  pool: Pool,
  quarantineAfter: number,
): (own: number, leaseMs: number) => Promise<RescueOutcome> {
  let callsUntilSweep = 0;
  return async (own, leaseMs) => {
    const { sweeps, outcome } = await inTransaction(pool, async (client) => {
      const { rows } = await client.query(
        `delete from instances where life in (
           select life from instances where life <> $1 and renewed_at < mh_now() - $2::bigint
           for update skip locked
         ) returning life`,
        [own, leaseMs],
      );
      const lives = rows.map((row) => Number(row["life"]));
      const sweeps = lives.length > 0 || callsUntilSweep <= 0;
      const freed = sweeps
        ? await giveBackOrphans(client, quarantineAfter)
        : { rescued: 0, quarantined: 0 };
      return { sweeps, outcome: { lives, ...freed } };
    });
    callsUntilSweep = sweeps ? CALLS_PER_SWEEP - 1 : callsUntilSweep - 1;
    return outcome;
  };
}

/** What is given back together is due together, so that it is claimed in the order of its numbers. */
const ONE_MOMENT = "moment as materialized (select mh_now() as now)";

/** Frees every lease whose life has no row. A new statement, so its snapshot sees what the dead ones committed. */
async function giveBackOrphans(
  client: PoolClient,
  quarantineAfter: number,
): Promise<{ rescued: number; quarantined: number }> {
  const { rows } = await client.query(
    `with ${ONE_MOMENT}, gone as (
       delete from live where life not in (select life from instances) returning *
     ), judged as (
       select g.*, crashes + started as crashes_now, attempts + started as attempts_now,
         started = 1 and crashes + started >= $1 as quarantine
       from gone g
     ), lost as (
       insert into attempts (delivery_seq, number, outcome, status, detail)
       select seq, attempts_now, $2, null, json_build_object('at', mh_now())::text from judged where started = 1
     ), back as (
       insert into waiting (seq, event_seq, webhook_no, kind, order_key, lease, due_at, attempts, step, throttled, rescues, crashes, origin, created_at, planned_at)
       select seq, event_seq, webhook_no, kind, order_key, lease, moment.now, attempts_now, step, throttled, rescues + 1, crashes_now, origin, created_at, planned_at
       from judged cross join moment where not quarantine
     ), ended as (
       insert into done (seq, event_seq, webhook_no, kind, order_key, state, reason, attempts, outcome, origin, created_at, ended_at)
       select seq, event_seq, webhook_no, kind, order_key, $3, 'quarantined', attempts_now, $2, origin, created_at, mh_now()
       from judged where quarantine
     ), told as (
       insert into notices (kind, owner_id, resource_id, webhook_id, detail, created_at)
       select 'delivery_quarantined', w.owner_id, w.resource_id, w.id, json_build_object('delivery', j.seq)::text, mh_now()
       from judged j join webhooks w on w.no = j.webhook_no where quarantine
     )
     select count(*) filter (where not quarantine) as rescued, count(*) filter (where quarantine) as quarantined from judged`,
    [quarantineAfter, LOST_ATTEMPT.outcome, endStateNumber("dead")],
  );
  return {
    rescued: Number(rows[0]?.["rescued"] ?? 0),
    quarantined: Number(rows[0]?.["quarantined"] ?? 0),
  };
}

/** Gives back what a life holds, or all but `held` of it: no rescue is counted. */
export async function release(
  client: PoolClient,
  life: number,
  held: readonly LeaseName[] = [],
): Promise<number> {
  const { rowCount } = await client.query(
    `with ${ONE_MOMENT}, gone as (
       delete from live where life = $1 and (seq, lease) not in (select unnest($2::bigint[]), unnest($3::int[])) returning *
     )
     insert into waiting (seq, event_seq, webhook_no, kind, order_key, lease, due_at, attempts, step, throttled, rescues, crashes, origin, created_at, planned_at)
     select seq, event_seq, webhook_no, kind, order_key, lease, moment.now, attempts, step, throttled, rescues, crashes, origin, created_at, planned_at
     from gone cross join moment`,
    [life, int8Array(held.map(({ seq }) => seq)), int4Array(held.map(({ lease }) => lease))],
  );
  return rowCount ?? 0;
}

export async function releaseForgotten(
  pool: Pool,
  life: number,
  held: readonly LeaseName[],
): Promise<number> {
  return await inTransaction(pool, async (client) => await release(client, life, held));
}
