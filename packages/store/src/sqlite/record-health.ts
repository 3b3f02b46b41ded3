import { AUDIT_COLUMNS, type AuditEntry, type AuditKey, chainRows } from "../hot/audit-chain.ts";
import { warningAfterMs } from "../hot/webhook-health.ts";
import { type HealthChanges, healthChanges } from "../hot/health-changes.ts";
import { type FailureCount, failureCounts, healthByWebhook } from "../hot/health-signals.ts";
import { SYSTEM } from "../port/audit.ts";
import type { DisableRule, Settlement } from "../port/deliveries.ts";
import { sharedSignals } from "./chat.ts";
import type { Connection } from "./connection.ts";

/**
 * Stores the changes of a batch to the health of its webhooks. Returns the webhooks whose state has changed. Usually all are
 * further failures, which are only counted. For the rest there is a fixed number of statements.
 */
export function recordHealth(
  db: Connection,
  owned: readonly Settlement[],
  rule: DisableRule,
  now: number,
  auditKey: AuditKey,
): number[] {
  const all = healthByWebhook(owned, sharedSignals(db, owned));
  const counted = countFailures(db, failureCounts(all), warningAfterMs(rule), now);
  const signals = all.filter(([no]) => !counted.has(no));
  if (signals.length === 0) return [];
  const rows = db.all(
    `select w.no, w.id, w.owner_id, w.resource_id, w.url, w.state, w.reason, w.chat_target, h.*,
       case when h.bad_request_kind is not null then
         exists (select 1 from attempt_counts c where c.webhook_no = w.no and c.ok_events & ~(1 << h.bad_request_kind) <> 0)
         or exists (select 1 from accepted_events a
           where a.webhook_no = w.no and a.kind <> h.bad_request_kind and a.last_at > ?2)
       end as accepts_others
     from json_each(?1) i cross join webhooks w on w.no = i.value and w.deleted_at is null
     left join webhook_health h on h.webhook_no = w.no`,
    JSON.stringify(signals.map(([no]) => no)),
    now - rule.acceptedWithinMs,
  );
  const byNo = new Map(rows.map((row) => [Number(row["no"]), row]));
  const changes = healthChanges(signals, byNo, rule, now);
  saveHealth(db, changes.health);
  if (changes.recovered.length > 0) beginPulls(db, changes.recovered, now);
  if (changes.states.length > 0) saveStates(db, changes.states, now);
  if (changes.notices.length > 0) saveNotices(db, changes.notices, now);
  appendAudit(db, auditKey, changes.audit);
  return changes.states.map(({ webhookNo }) => webhookNo);
}

/**
 * Counts failures in runs that are younger than the time to a warning. Returns their webhooks. Each has a statement of its
 * own: one for all costs more, because SQLite makes temporary tables for it. `or fail` as in `settle.ts`.
 */
function countFailures(
  db: Connection,
  failures: readonly FailureCount[],
  youngerThanMs: number,
  now: number,
): Set<number> {
  const counted = new Set<number>();
  for (const { webhookNo, count, events, badRequestKind } of failures) {
    const changed = db.run(
      `update or fail webhook_health set failed_attempts = failed_attempts + ?, last_failure_at = ?,
         several_events = max(several_events, ? <> first_failed_event or ? <> first_failed_event),
         bad_request_kind = case when bad_request_kind = ? then bad_request_kind end
       where webhook_no = ? and failing_since > ? and first_failed_event is not null`,
      count,
      now,
      ...events,
      badRequestKind,
      webhookNo,
      now - youngerThanMs,
    );
    if (changed > 0) counted.add(webhookNo);
  }
  return counted;
}

function saveHealth(db: Connection, all: HealthChanges["health"]): void {
  db.write(
    `insert or replace into webhook_health (webhook_no, failing_since, failed_attempts, first_failed_event, several_events, bad_request_kind, last_success_at, last_failure_at, warned_at)
     select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8
     from json_each(?)`,
    JSON.stringify(
      all.map((one) => [
        one.webhookNo,
        one.failingSince,
        one.failedAttempts,
        one.firstFailedEvent,
        one.severalEvents ? 1 : 0,
        one.badRequestKind,
        one.lastSuccessAt,
        one.lastFailureAt,
        one.warnedAt,
      ]),
    ),
  );
}

function saveStates(db: Connection, all: HealthChanges["states"], now: number): void {
  db.write(
    `update webhooks set state = i.value ->> 1, reason = i.value ->> 2, probe_at = i.value ->> 3, updated_at = ?2
     from json_each(?1) i where webhooks.no = i.value ->> 0`,
    JSON.stringify(
      all.map(({ webhookNo, state, reason, probeAt }) => [webhookNo, state, reason, probeAt]),
    ),
    now,
  );
}

function saveNotices(db: Connection, all: HealthChanges["notices"], now: number): void {
  db.write(
    `insert into notices (kind, owner_id, resource_id, webhook_id, detail, created_at)
     select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, ?2 from json_each(?1) order by key`,
    JSON.stringify(
      all.map((one) => [one.kind, one.ownerId, one.resourceId, one.webhookId, one.detail]),
    ),
    now,
  );
}

const INSERT = `insert into audit (${AUDIT_COLUMNS.join(", ")})
values (${AUDIT_COLUMNS.map(() => "?").join(", ")})`;

/** For the service's own actions, inside a transaction. A single writer needs no lock. */
function appendAudit(db: Connection, key: AuditKey, entries: readonly AuditEntry[]): void {
  if (entries.length === 0) return;
  const last = db.get("select no, hash from audit_head");
  const start = { no: Number(last?.["no"]), hash: String(last?.["hash"]) };
  const { rows, head } = chainRows(key, start, SYSTEM, entries);
  for (const row of rows) db.write(INSERT, ...AUDIT_COLUMNS.map((name) => row[name]));
  db.write("update audit_head set no = ?, hash = ?, mac = ?", head.no, head.hash, head.mac);
}

/** Begins to make waiting deliveries of recovered webhooks due. Does nothing if none waits, or it has begun already. */
function beginPulls(db: Connection, webhookNos: readonly number[], now: number): void {
  db.run(
    `insert into pulls (webhook_no, by_person, began_at, next_at, after_due_at, after_seq)
     select value, 0, ?2, ?2, ?2, 0 from json_each(?1)
     where exists (select 1 from pending where webhook_no = value and due_at > ?2)
     on conflict (webhook_no) do nothing`,
    JSON.stringify(webhookNos),
    now,
  );
}
