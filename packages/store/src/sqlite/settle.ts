import { type AuditEntry, type AuditKey, stateEntry } from "../hot/audit-chain.ts";
import { applyHealth, type HealthOutcome } from "../hot/health.ts";
import { givenUpOf } from "../hot/given-up.ts";
import { healthByWebhook } from "../hot/health-signals.ts";
import { endStateNumber } from "../hot/kinds.ts";
import { settleApart } from "../hot/settle-apart.ts";
import { healthRow, healthRule, text } from "../hot/rows.ts";
import { hourOf } from "../port/attempt-counts.ts";
import type { DisableRule, SettleOutcome, Settlement } from "../port/deliveries.ts";
import { saveChatMessages, sharedSignals } from "./chat.ts";
import { SYSTEM } from "../port/audit.ts";
import { appendAudit } from "./append-audit.ts";
import type { Connection, Row } from "./connection.ts";
import { beginPull } from "./begin-pull.ts";

const OPEN_COLUMNS = `seq, event_seq, webhook_no, kind, order_key, lease, attempts, step, throttled, suspicion, origin, created_at, planned_at`;

const CONSTRAINT = 19;

/** What a key or a column does not take, and what a row holds that none of ours does. */
function isAboutRows(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true;
  // Extended codes have the plain one in their last byte.
  return error instanceof Error && "errcode" in error && Number(error.errcode) % 256 === CONSTRAINT;
}

export async function settle(
  db: Connection,
  life: number,
  settlements: readonly Settlement[],
  rule: DisableRule,
  auditKey: AuditKey,
): Promise<SettleOutcome> {
  return await settleApart(
    settlements,
    async (some) => settleTogether(db, life, some, rule, auditKey),
    isAboutRows,
  );
}

/** Ends leases: each row is deleted only under its lease, then stands in `done` or `waiting` again. */
function settleTogether(
  db: Connection,
  life: number,
  settlements: readonly Settlement[],
  rule: DisableRule,
  auditKey: AuditKey,
): Omit<SettleOutcome, "failed"> {
  return db.transaction(() => {
    const now = db.now();
    const refused: number[] = [];
    const owned: Settlement[] = [];
    for (const one of settlements) {
      if (endAtFirst(db, life, one, now)) {
        owned.push(one);
        continue;
      }
      const row = db.get(
        `delete from live where seq = ? and life = ? and lease = ? returning ${OPEN_COLUMNS}`,
        one.seq,
        life,
        one.lease,
      );
      if (row === undefined) {
        refused.push(one.seq);
        continue;
      }
      owned.push(one);
      move(db, row, one, now);
    }
    saveChatMessages(db, owned);
    saveGivenUp(db, owned, now);
    return { refused, changedWebhooks: recordHealth(db, owned, rule, now, auditKey) };
  });
}

/**
 * What nearly all deliveries are: ended by their first attempt. Copied within the database, because taking a row out
 * and putting it in again costs three times as much. False: it is not like that, or not ours.
 */
function endAtFirst(
  db: Connection,
  life: number,
  { seq, lease, attempt, next }: Settlement,
  now: number,
): boolean {
  if (next.kind !== "end" || attempt?.number !== 1) return false;
  const copied = db.run(
    `insert into done (seq, event_seq, webhook_no, kind, order_key, state, reason, attempts, outcome, status, origin, created_at, ended_at, first_attempt)
     select seq, event_seq, webhook_no, kind, order_key, ?, ?, 1, ?, ?, origin, created_at, ?, ?
     from live where seq = ? and life = ? and lease = ? and attempts = 0`,
    endStateNumber(next.state),
    next.reason,
    attempt.outcome,
    attempt.status,
    now,
    attempt.detail,
    seq,
    life,
    lease,
  );
  if (copied === 0) return false;
  db.write("delete from live where seq = ?", seq);
  return true;
}

function move(db: Connection, row: Row, { attempt, next }: Settlement, now: number): void {
  const [seq, eventSeq, webhookNo, kind, orderKey] = [
    Number(row["seq"]),
    Number(row["event_seq"]),
    Number(row["webhook_no"]),
    Number(row["kind"]),
    row["order_key"] as number | null,
  ];
  const before = Number(row["attempts"]);
  const folded = next.kind === "end" && before === 0;
  if (attempt !== null && !folded) {
    db.write(
      "insert into attempts (delivery_seq, number, outcome, status, detail) values (?, ?, ?, ?, ?)",
      seq,
      attempt.number,
      attempt.outcome,
      attempt.status,
      attempt.detail,
    );
  }
  const attempts = before + (attempt === null ? 0 : 1);
  if (next.kind === "end") {
    const last =
      attempt ??
      db.get(
        "select outcome, status from attempts where delivery_seq = ? and number = ?",
        seq,
        before,
      );
    db.write(
      `insert into done (seq, event_seq, webhook_no, kind, order_key, state, reason, attempts, outcome, status, origin, created_at, ended_at, first_attempt)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      seq,
      eventSeq,
      webhookNo,
      kind,
      orderKey,
      endStateNumber(next.state),
      next.reason,
      attempts,
      (last?.outcome as string | undefined) ?? null,
      (last?.status as number | null | undefined) ?? null,
      Number(row["origin"]),
      Number(row["created_at"]),
      now,
      folded ? (attempt?.detail ?? null) : null,
    );
    return;
  }
  const retry = next.kind === "retry" ? next : null;
  const plannedAt = row["planned_at"] as number | null;
  db.write(
    `insert into waiting (${OPEN_COLUMNS}, due_at, asked_until) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    seq,
    eventSeq,
    webhookNo,
    kind,
    orderKey,
    Number(row["lease"]),
    attempts,
    Number(row["step"]) + (retry?.counts === true ? 1 : 0),
    Number(row["throttled"]) + (retry?.throttled === true ? 1 : 0),
    // A request whose end was seen did not crash anybody.
    attempt === null ? Number(row["suspicion"]) : 0,
    Number(row["origin"]),
    Number(row["created_at"]),
    retry?.counts === true || retry?.throttled === true ? null : plannedAt,
    retry === null
      ? now
      : Math.max(now + Math.round(retry.delayMs), retry.early === true ? (plannedAt ?? 0) : 0),
    retry?.askedMs === undefined ? null : now + Math.round(retry.askedMs),
  );
}

function saveGivenUp(db: Connection, owned: readonly Settlement[], now: number): void {
  for (const one of givenUpOf(owned)) {
    db.write(
      `insert into given_up (webhook_no, hour, count, first_seq, last_seq, last_outcome, last_status)
       values (?, ?, ?, ?, ?, ?, ?)
       on conflict (webhook_no, hour) do update set count = count + excluded.count, last_seq = excluded.last_seq,
         last_outcome = excluded.last_outcome, last_status = excluded.last_status`,
      one.webhookNo,
      hourOf(now),
      one.count,
      one.firstSeq,
      one.lastSeq,
      one.lastOutcome,
      one.lastStatus,
    );
  }
}

function recordHealth(
  db: Connection,
  owned: readonly Settlement[],
  rule: DisableRule,
  now: number,
  auditKey: AuditKey,
): number[] {
  const changed: number[] = [];
  const entries: AuditEntry[] = [];
  for (const [no, events] of healthByWebhook(owned, sharedSignals(db, owned))) {
    const row = db.get(
      `select w.id, w.owner_id, w.resource_id, w.state, w.reason, h.*,
         case when h.bad_request_kind is not null then
           exists (select 1 from attempt_counts c where c.webhook_no = w.no and c.ok_events & ~(1 << h.bad_request_kind) <> 0)
           or exists (select 1 from accepted_events a
             where a.webhook_no = w.no and a.kind <> h.bad_request_kind and a.last_at > ?)
         end as accepts_others
       from webhooks w
       left join webhook_health h on h.webhook_no = w.no where w.no = ? and w.deleted_at is null`,
      now - rule.acceptedWithinMs,
      no,
    );
    if (row === undefined) continue;
    const state = { state: row["state"] as "active", reason: row["reason"] as string | null };
    const outcome = applyHealth(healthRow(row), state, events, healthRule(rule, row), now);
    saveHealth(db, no, outcome);
    if (outcome.endedFailing) beginPull(db, no, now);
    if (outcome.stateChanged) {
      changed.push(no);
      entries.push(stateEntry(row, state, outcome.state, now));
      const probe = outcome.state.reason === "failing" ? now + rule.probeAfterMs : null;
      db.run(
        "update webhooks set state = ?, reason = ?, probe_at = ?, updated_at = ? where no = ?",
        outcome.state.state,
        outcome.state.reason,
        probe,
        now,
        no,
      );
    }
    for (const notice of outcome.notices) {
      db.run(
        "insert into notices (kind, owner_id, resource_id, webhook_id, detail, created_at) values (?, ?, ?, ?, ?, ?)",
        notice.kind,
        text(row["owner_id"]),
        text(row["resource_id"]),
        text(row["id"]),
        JSON.stringify(notice.detail),
        now,
      );
    }
  }
  appendAudit(db, auditKey, SYSTEM, entries);
  return changed;
}

function saveHealth(db: Connection, no: number, { health }: HealthOutcome): void {
  db.run(
    `insert or replace into webhook_health (webhook_no, failing_since, failed_attempts, first_failed_event, several_events, bad_request_kind, last_success_at, last_failure_at, warned_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    no,
    health.failingSince,
    health.failedAttempts,
    health.firstFailedEvent,
    health.severalEvents ? 1 : 0,
    health.badRequestKind,
    health.lastSuccessAt,
    health.lastFailureAt,
    health.warnedAt,
  );
}
