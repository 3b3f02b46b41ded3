import type { Pool, PoolClient } from "pg";
import type { AuditKey } from "../hot/audit-chain.ts";
import { type GivenUp, givenUpOf, isGivenUp } from "../hot/given-up-deliveries.ts";
import { endStateNumber } from "../hot/kinds.ts";
import { settleApart } from "../hot/settle-apart.ts";
import type { DisableRule, SettleOutcome, Settlement, SettlementNext } from "../port/deliveries.ts";
import { numberList } from "./binary-array.ts";
import { saveChatMessages } from "./chat.ts";
import { type Column, columnList } from "./column-list.ts";
import { inTransaction } from "./connection.ts";
import { HealthChanged, recordHealth } from "./record-health.ts";
import { giveBackOrphans } from "./rescue.ts";

export async function settle(
  pool: Pool,
  instanceNo: number,
  settlements: readonly Settlement[],
  rule: DisableRule,
  auditKey: AuditKey,
): Promise<SettleOutcome> {
  const together = async (some: readonly Settlement[], mayCount: boolean) =>
    await settleTogether(pool, instanceNo, some, rule, auditKey, mayCount);
  return await settleApart(
    settlements,
    async (some) =>
      await together(some, true).catch(async (error: unknown) => {
        if (!(error instanceof HealthChanged)) throw error;
        return await together(some, false);
      }),
  );
}

/** Ends leases: each row is deleted only under its lease, and inserted into `ended` or `pending`. */
async function settleTogether(
  pool: Pool,
  instanceNo: number,
  settlements: readonly Settlement[],
  rule: DisableRule,
  auditKey: AuditKey,
  mayCount: boolean,
): Promise<Omit<SettleOutcome, "failed">> {
  const sorted = [...settlements].sort((a, b) => a.seq - b.seq);
  const { moving, changedWebhooks } = await inTransaction(pool, async (client, last) => {
    const moving = move(client, instanceNo, sorted);
    // The usual case: the commit need not wait for a turn of its own.
    if (sorted.every(isPlain)) {
      last.push(moving);
      return { moving, changedWebhooks: [] };
    }
    const refused = await moving;
    const owned = sorted.filter((one) => !refused.has(one.seq));
    await saveChatMessages(client, owned);
    await saveGivenUp(client, owned);
    return { moving, changedWebhooks: await recordHealth(client, owned, rule, auditKey, mayCount) };
  });
  return { refused: [...(await moving)], changedWebhooks };
}

/** Resolves with the leases that were not ours. */
async function move(
  client: PoolClient,
  instanceNo: number,
  settlements: readonly Settlement[],
): Promise<Set<number>> {
  const ended: Ended[] = [];
  const back: Back[] = [];
  const lost: Settlement[] = [];
  for (const one of settlements) {
    if (isEnded(one)) ended.push(one);
    else if (isBack(one)) back.push(one);
    else lost.push(one);
  }
  const refused = await Promise.all([
    ended.length === 0 ? [] : moveEnded(client, instanceNo, ended),
    back.length === 0 ? [] : moveBack(client, instanceNo, back),
    lost.length === 0 ? [] : giveBackLost(client, instanceNo, lost),
  ]);
  return new Set(refused.flat());
}

/** Returns the moved rows only if some were not moved; usually none has to be sent and read. */
const MOVED_BUT_NOT_ALL = `select (select string_agg(seq::text, ',') from gone) as seqs where (select count(*) from gone) <`;

function notMoved(rows: Record<string, unknown>[], settlements: readonly Settlement[]): number[] {
  const [row] = rows;
  if (row === undefined) return [];
  const moved = new Set(numberList(row["seqs"]));
  return settlements.filter((one) => !moved.has(one.seq)).map((one) => one.seq);
}

type Ended = Settlement & { next: Extract<SettlementNext, { kind: "end" }> };
type Back = Settlement & { next: Exclude<SettlementNext, { kind: "end" | "lost" }> };

function isEnded(one: Settlement): one is Ended {
  return one.next.kind === "end";
}

function isBack(one: Settlement): one is Back {
  return one.next.kind === "retry" || one.next.kind === "release";
}

/** Nulls without an attempt. */
const ATTEMPT: Readonly<Record<string, Column<Settlement>>> = {
  number: ["int", (one) => one.attempt?.number ?? null],
  outcome: ["text", (one) => one.attempt?.outcome ?? null],
  status: ["int", (one) => one.attempt?.status ?? null],
  detail: ["text", (one) => one.attempt?.detail ?? null],
};

const ENDED = columnList<Ended>({
  seq: ["bigint", (one) => one.seq],
  state: ["smallint", (one) => endStateNumber(one.next.state)],
  reason: ["text", (one) => one.next.reason],
  ...ATTEMPT,
  lease: ["int", (one) => one.lease],
});

async function moveEnded(
  client: PoolClient,
  instanceNo: number,
  settlements: readonly Ended[],
): Promise<number[]> {
  const { rows } = await client.query(
    `with gone as (
       delete from leased l
       using (select ${ENDED.unnested}) as i (${ENDED.names})
       where l.seq = i.seq and l.instance_no = $9 and l.lease = i.lease
       returning l.seq, l.event_seq, l.webhook_no, l.kind, l.order_key, l.attempts, l.origin, l.created_at,
         i.state, i.reason, i.number, i.outcome, i.status, i.detail, l.attempts = 0 as folded
     ), moved as (
       insert into ended (seq, event_seq, webhook_no, kind, order_key, state, reason, attempts, outcome, status, origin, created_at, ended_at, first_attempt)
       select g.seq, g.event_seq, g.webhook_no, g.kind, g.order_key, g.state, g.reason, g.attempts + (g.number is not null)::int,
         coalesce(g.outcome, a.outcome), coalesce(g.status, a.status), g.origin, g.created_at, (select mh_now()), case when g.folded then g.detail end
       from gone g left join attempts a on g.number is null and a.delivery_seq = g.seq and a.number = g.attempts
     ), recorded as (
       insert into attempts (delivery_seq, number, outcome, status, detail)
       select seq, number, outcome, status, detail from gone where number is not null and not folded
     )
     ${MOVED_BUT_NOT_ALL} $10::int`,
    [...ENDED.arrays(settlements), instanceNo, settlements.length],
  );
  return notMoved(rows, settlements);
}

const BACK = columnList<Back>({
  seq: ["bigint", (one) => one.seq],
  delay: ["bigint", (one) => Math.round(retryOf(one)?.delayMs ?? 0)],
  counts: ["int", (one) => (retryOf(one)?.counts === true ? 1 : 0)],
  throttled: ["int", (one) => (retryOf(one)?.throttled === true ? 1 : 0)],
  early: ["int", (one) => (retryOf(one)?.early === true ? 1 : 0)],
  asked: ["bigint", (one) => rounded(retryOf(one)?.askedMs)],
  ...ATTEMPT,
  lease: ["int", (one) => one.lease],
});

function retryOf({ next }: Back) {
  return next.kind === "retry" ? next : null;
}

function rounded(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms);
}

/** To `pending`, for another attempt or because none was made. */
async function moveBack(
  client: PoolClient,
  instanceNo: number,
  settlements: readonly Back[],
): Promise<number[]> {
  const { rows } = await client.query(
    `with gone as (
       delete from leased l
       using (select ${BACK.unnested}) as i (${BACK.names})
       where l.seq = i.seq and l.instance_no = $12 and l.lease = i.lease
       returning l.seq, l.event_seq, l.webhook_no, l.kind, l.order_key, l.lease, l.attempts, l.step, l.throttled, l.suspicion,
         l.origin, l.created_at, l.planned_at, i.delay, i.counts, i.throttled as more_throttled, i.early, i.asked,
         i.number, i.outcome, i.status, i.detail
     ), back as (
       insert into pending (seq, event_seq, webhook_no, kind, order_key, lease, due_at, attempts, step, throttled, suspicion, origin, created_at, planned_at, asked_until)
       select seq, event_seq, webhook_no, kind, order_key, lease,
         greatest((select mh_now()) + delay, case when early = 1 then planned_at end),
         attempts + (number is not null)::int, step + counts, throttled + more_throttled,
         case when number is null then suspicion else 0 end, origin, created_at,
         case when counts = 0 and more_throttled = 0 then planned_at end, (select mh_now()) + asked
       from gone
     ), recorded as (
       insert into attempts (delivery_seq, number, outcome, status, detail)
       select seq, number, outcome, status, detail from gone where number is not null
     )
     ${MOVED_BUT_NOT_ALL} $13::int`,
    [...BACK.arrays(settlements), instanceNo, settlements.length],
  );
  return notMoved(rows, settlements);
}

const LOST = columnList<Settlement>({
  seq: ["bigint", (one) => one.seq],
  lease: ["int", (one) => one.lease],
});

/** Their sender is treated as an instance of its own that ended: no real instance has a number below 0. */
async function giveBackLost(
  client: PoolClient,
  instanceNo: number,
  settlements: readonly Settlement[],
): Promise<number[]> {
  const { rows } = await client.query(
    `with gone as (
       update leased l set instance_no = -l.instance_no
       from (select ${LOST.unnested}) as i (${LOST.names})
       where l.seq = i.seq and l.instance_no = $3 and l.lease = i.lease
       returning l.seq
     )
     ${MOVED_BUT_NOT_ALL} $4::int`,
    [...LOST.arrays(settlements), instanceNo, settlements.length],
  );
  await giveBackOrphans(client, []);
  return notMoved(rows, settlements);
}

/** True if the settlement changes only the delivery itself. */
function isPlain(one: Settlement): boolean {
  return (
    one.next.kind !== "lost" &&
    one.health === undefined &&
    one.chatMessage === undefined &&
    !isGivenUp(one)
  );
}

const GIVEN_UP = columnList<GivenUp>({
  webhook_no: ["bigint", (one) => one.webhookNo],
  count: ["int", (one) => one.count],
  first_seq: ["bigint", (one) => one.firstSeq],
  last_seq: ["bigint", (one) => one.lastSeq],
  last_outcome: ["text", (one) => one.lastOutcome],
  last_status: ["int", (one) => one.lastStatus],
});

/** Counted in the hour in which they ended: when they are sent again they are taken off that hour's count. */
async function saveGivenUp(client: PoolClient, owned: readonly Settlement[]): Promise<void> {
  const given = givenUpOf(owned);
  if (given.length === 0) return;
  await client.query(
    `insert into given_up (webhook_no, hour, count, first_seq, last_seq, last_outcome, last_status)
     select i.webhook_no, (select ended_at / 3600000 from ended where seq = i.last_seq), i.count, i.first_seq, i.last_seq, i.last_outcome, i.last_status
     from (select ${GIVEN_UP.unnested}) as i (${GIVEN_UP.names})
     order by i.webhook_no
     on conflict (webhook_no, hour) do update set count = given_up.count + excluded.count, last_seq = excluded.last_seq,
       last_outcome = excluded.last_outcome, last_status = excluded.last_status`,
    GIVEN_UP.arrays(given),
  );
}
