import { DatabaseError, type Pool, type PoolClient } from "pg";
import { type AuditEntry, type AuditKey, stateEntry } from "../hot/audit-chain.ts";
import { applyHealth } from "../hot/health.ts";
import { givenUpOf, isGivenUp } from "../hot/given-up.ts";
import { healthByWebhook } from "../hot/health-signals.ts";
import { endStateNumber } from "../hot/kinds.ts";
import { settleApart } from "../hot/settle-apart.ts";
import { healthRow, healthRule, text } from "../hot/rows.ts";
import type {
  AttemptRecord,
  DisableRule,
  SettleOutcome,
  Settlement,
  SettlementNext,
} from "../port/deliveries.ts";
import { SYSTEM } from "../port/audit.ts";
import { appendAudit } from "./append-audit.ts";
import { int2Array, int4Array, int8Array, textArray } from "./binary-array.ts";
import { beginPull } from "./begin-pull.ts";
import { saveChatMessages, sharedSignals } from "./chat.ts";
import { inTransaction } from "./connection.ts";
import { numberList } from "./number-list.ts";
import { unnested } from "./unnested.ts";

/** Data that a column or a key does not take. Anything else is no row's fault. */
const ABOUT_ROWS = /^2[23]/;

function isAboutRows(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof DatabaseError && ABOUT_ROWS.test(cause.code ?? "");
}

export async function settle(
  pool: Pool,
  life: number,
  settlements: readonly Settlement[],
  rule: DisableRule,
  auditKey: AuditKey,
): Promise<SettleOutcome> {
  return await settleApart(
    settlements,
    async (some) => await settleTogether(pool, life, some, rule, auditKey),
    isAboutRows,
  );
}

/** Ends leases: each row is deleted only under its lease, then stands in `done` or `waiting` again. */
async function settleTogether(
  pool: Pool,
  life: number,
  settlements: readonly Settlement[],
  rule: DisableRule,
  auditKey: AuditKey,
): Promise<Omit<SettleOutcome, "failed">> {
  const sorted = [...settlements].sort((a, b) => a.seq - b.seq);
  const { moving, changedWebhooks } = await inTransaction(pool, async (client, last) => {
    const moving = move(client, life, sorted);
    // Nearly always: then the commit need not wait for a turn of its own.
    if (sorted.every(isPlain)) {
      last.push(moving);
      return { moving, changedWebhooks: [] };
    }
    const refused = await moving;
    const owned = sorted.filter((one) => !refused.has(one.seq));
    await saveChatMessages(client, owned);
    await saveGivenUp(client, owned);
    return { moving, changedWebhooks: await recordHealth(client, owned, rule, auditKey) };
  });
  return { refused: [...(await moving)], changedWebhooks };
}

/** Resolves with those that were not ours. */
async function move(
  client: PoolClient,
  life: number,
  settlements: readonly Settlement[],
): Promise<Set<number>> {
  const ended: EndedAtFirst[] = [];
  const others: Settlement[] = [];
  for (const one of settlements) {
    if (isEndedAtFirst(one)) ended.push(one);
    else others.push(one);
  }
  const refused = await Promise.all([
    ended.length === 0 ? [] : moveEnded(client, life, ended),
    others.length === 0 ? [] : moveAny(client, life, others),
  ]);
  return new Set(refused.flat());
}

/** Rows of what was moved, if that was not all: nearly always nothing has to be told, sent and read. */
const MOVED_BUT_NOT_ALL = `select (select string_agg(seq::text, ',') from gone) as seqs where (select count(*) from gone) <`;

function notMoved(rows: Record<string, unknown>[], settlements: readonly Settlement[]): number[] {
  const [row] = rows;
  if (row === undefined) return [];
  const moved = new Set(numberList(row["seqs"]));
  return settlements.filter((one) => !moved.has(one.seq)).map((one) => one.seq);
}

type EndedAtFirst = Settlement & {
  attempt: AttemptRecord;
  next: Extract<SettlementNext, { kind: "end" }>;
};

function isEndedAtFirst(one: Settlement): one is EndedAtFirst {
  return one.next.kind === "end" && one.attempt?.number === 1;
}

/** What nearly all deliveries are: ended by their first attempt. Half the work of a statement for all ends. */
async function moveEnded(
  client: PoolClient,
  life: number,
  settlements: readonly EndedAtFirst[],
): Promise<number[]> {
  const { rows } = await client.query(
    `with gone as (
       delete from live l
       using (select ${unnested("bigint", "smallint", "text", "text", "int", "text", "int")})
         as i (seq, state, reason, outcome, status, detail, lease)
       where l.seq = i.seq and l.life = $8 and l.lease = i.lease
       returning l.seq, l.event_seq, l.webhook_no, l.kind, l.order_key, i.state, i.reason, i.outcome, i.status, l.origin, l.created_at, i.detail
     ), ended as (
       insert into done (seq, event_seq, webhook_no, kind, order_key, state, reason, attempts, outcome, status, origin, created_at, ended_at, first_attempt)
       select seq, event_seq, webhook_no, kind, order_key, state, reason, 1, outcome, status, origin, created_at, (select mh_now()), detail
       from gone
     )
     ${MOVED_BUT_NOT_ALL} $9::int`,
    [
      int8Array(settlements.map((one) => one.seq)),
      int2Array(settlements.map((one) => endStateNumber(one.next.state))),
      textArray(settlements.map((one) => one.next.reason)),
      textArray(settlements.map((one) => one.attempt.outcome)),
      int4Array(settlements.map((one) => one.attempt.status)),
      textArray(settlements.map((one) => one.attempt.detail)),
      int4Array(settlements.map((one) => one.lease)),
      life,
      settlements.length,
    ],
  );
  return notMoved(rows, settlements);
}

async function moveAny(
  client: PoolClient,
  life: number,
  settlements: readonly Settlement[],
): Promise<number[]> {
  const ends = settlements.map(({ next }) => (next.kind === "end" ? next : null));
  const retries = settlements.map(({ next }) => (next.kind === "retry" ? next : null));
  const { rows } = await client.query(
    `with input as (
       select * from unnest($2::bigint[], $3::smallint[], $4::text[], $5::bigint[], $6::int[], $7::int[],
                            $8::int[], $9::text[], $10::int[], $11::text[], $12::int[], $13::int[], $14::bigint[])
         as i (seq, end_state, reason, delay, counts, throttled, number, outcome, status, detail, lease, early, asked)
     ), gone as (
       delete from live l using input i where l.seq = i.seq and l.life = $1 and l.lease = i.lease returning l.*
     ), pair as (
       select g.*, i.end_state, i.reason, i.delay, i.counts, i.throttled as more_throttled, i.number, i.outcome, i.status, i.detail,
         i.early, i.asked, g.attempts + (i.number is not null)::int as attempts_now, i.end_state is not null and g.attempts = 0 as folded
       from gone g join input i using (seq)
     ), ended as (
       insert into done (seq, event_seq, webhook_no, kind, order_key, state, reason, attempts, outcome, status, origin, created_at, ended_at, first_attempt)
       select p.seq, p.event_seq, p.webhook_no, p.kind, p.order_key, p.end_state, p.reason, p.attempts_now,
         coalesce(p.outcome, a.outcome), coalesce(p.status, a.status), p.origin, p.created_at, mh_now(), case when p.folded then p.detail end
       from pair p left join attempts a on p.number is null and a.delivery_seq = p.seq and a.number = p.attempts
       where p.end_state is not null
     ), back as (
       insert into waiting (seq, event_seq, webhook_no, kind, order_key, lease, due_at, attempts, step, throttled, suspicion, origin, created_at, planned_at, asked_until)
       select seq, event_seq, webhook_no, kind, order_key, lease, greatest(mh_now() + delay, case when early = 1 then planned_at end),
         attempts_now, step + counts, throttled + more_throttled,
         case when number is null then suspicion else 0 end, origin, created_at,
         case when counts = 0 and more_throttled = 0 then planned_at end, mh_now() + asked
       from pair where end_state is null
     ), recorded as (
       insert into attempts (delivery_seq, number, outcome, status, detail)
       select seq, number, outcome, status, detail from pair where number is not null and not folded
     )
     ${MOVED_BUT_NOT_ALL} $15::int`,
    [
      life,
      int8Array(settlements.map((one) => one.seq)),
      int2Array(ends.map((end) => (end === null ? null : endStateNumber(end.state)))),
      textArray(ends.map((end) => end?.reason ?? null)),
      int8Array(retries.map((retry) => Math.round(retry?.delayMs ?? 0))),
      int4Array(retries.map((retry) => (retry?.counts === true ? 1 : 0))),
      int4Array(retries.map((retry) => (retry?.throttled === true ? 1 : 0))),
      int4Array(settlements.map((one) => one.attempt?.number ?? null)),
      textArray(settlements.map((one) => one.attempt?.outcome ?? null)),
      int4Array(settlements.map((one) => one.attempt?.status ?? null)),
      textArray(settlements.map((one) => one.attempt?.detail ?? null)),
      int4Array(settlements.map((one) => one.lease)),
      int4Array(retries.map((retry) => (retry?.early === true ? 1 : 0))),
      int8Array(
        retries.map((retry) => (retry?.askedMs === undefined ? null : Math.round(retry.askedMs))),
      ),
      settlements.length,
    ],
  );
  return notMoved(rows, settlements);
}

/** Nothing is told beside the delivery itself. */
function isPlain(one: Settlement): boolean {
  return one.health === undefined && one.chatMessage === undefined && !isGivenUp(one);
}

async function saveGivenUp(client: PoolClient, owned: readonly Settlement[]): Promise<void> {
  const given = givenUpOf(owned);
  if (given.length === 0) return;
  await client.query(
    `insert into given_up (webhook_no, hour, count, first_seq, last_seq, last_outcome, last_status)
     select i.webhook_no, mh_now() / 3600000, i.count, i.first_seq, i.last_seq, i.last_outcome, i.last_status
     from (select ${unnested("bigint", "int", "bigint", "bigint", "text", "int")})
       as i (webhook_no, count, first_seq, last_seq, last_outcome, last_status)
     order by i.webhook_no
     on conflict (webhook_no, hour) do update set count = given_up.count + excluded.count, last_seq = excluded.last_seq,
       last_outcome = excluded.last_outcome, last_status = excluded.last_status`,
    [
      int8Array(given.map((one) => one.webhookNo)),
      int4Array(given.map((one) => one.count)),
      int8Array(given.map((one) => one.firstSeq)),
      int8Array(given.map((one) => one.lastSeq)),
      textArray(given.map((one) => one.lastOutcome)),
      int4Array(given.map((one) => one.lastStatus)),
    ],
  );
}

async function recordHealth(
  client: PoolClient,
  owned: readonly Settlement[],
  rule: DisableRule,
  auditKey: AuditKey,
): Promise<number[]> {
  const signals = healthByWebhook(owned, await sharedSignals(client, owned));
  if (signals.length === 0) return [];
  const { rows } = await client.query(
    `select w.no, w.id, w.owner_id, w.resource_id, w.state, w.reason, w.chat_target, h.*, mh_now() as now,
         case when h.bad_request_kind is not null then
           exists (select 1 from attempt_counts c where c.webhook_no = w.no and c.ok_events & ~(1 << h.bad_request_kind) <> 0)
           or exists (select 1 from accepted_events a
             where a.webhook_no = w.no and a.kind <> h.bad_request_kind and a.last_at > (select mh_now()) - $2::bigint)
         end as accepts_others
     from webhooks w left join webhook_health h on h.webhook_no = w.no
     where w.no = any($1) and w.deleted_at is null order by w.no for no key update of w`,
    [signals.map(([no]) => no), rule.acceptedWithinMs],
  );
  const byNo = new Map(rows.map((row) => [Number(row["no"]), row]));
  const changed: number[] = [];
  const entries: AuditEntry[] = [];
  for (const [no, all] of signals) {
    const row = byNo.get(no);
    if (row === undefined) continue;
    const events = all.filter(
      ({ signal }) => signal.kind !== "disable_chat" || signal.target === row["chat_target"],
    );
    const now = Number(row["now"]);
    const state = { state: row["state"] as "active", reason: row["reason"] as string | null };
    const {
      health,
      state: after,
      stateChanged,
      endedFailing,
      notices,
    } = applyHealth(healthRow(row), state, events, healthRule(rule, row), now);
    await client.query(
      `insert into webhook_health (webhook_no, failing_since, failed_attempts, first_failed_event, several_events, bad_request_kind, last_success_at, last_failure_at, warned_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (webhook_no) do update set failing_since = excluded.failing_since, failed_attempts = excluded.failed_attempts,
         first_failed_event = excluded.first_failed_event, several_events = excluded.several_events,
         bad_request_kind = excluded.bad_request_kind, last_success_at = excluded.last_success_at,
         last_failure_at = excluded.last_failure_at, warned_at = excluded.warned_at`,
      [
        no,
        health.failingSince,
        health.failedAttempts,
        health.firstFailedEvent,
        health.severalEvents ? 1 : 0,
        health.badRequestKind,
        health.lastSuccessAt,
        health.lastFailureAt,
        health.warnedAt,
      ],
    );
    if (endedFailing) await beginPull(client, no);
    if (stateChanged) {
      changed.push(no);
      entries.push(stateEntry(row, state, after, now));
      await client.query(
        "update webhooks set state = $2, reason = $3, probe_at = $4, updated_at = $5 where no = $1",
        [
          no,
          after.state,
          after.reason,
          after.reason === "failing" ? now + rule.probeAfterMs : null,
          now,
        ],
      );
    }
    for (const notice of notices) {
      await client.query(
        "insert into notices (kind, owner_id, resource_id, webhook_id, detail, created_at) values ($1, $2, $3, $4, $5, $6)",
        [
          notice.kind,
          text(row["owner_id"]),
          text(row["resource_id"]),
          text(row["id"]),
          JSON.stringify(notice.detail),
          now,
        ],
      );
    }
  }
  await appendAudit(client, auditKey, SYSTEM, entries);
  return changed;
}
