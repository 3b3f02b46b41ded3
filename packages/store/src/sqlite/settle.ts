import type { AuditKey } from "../hot/audit-chain.ts";
import { givenUpOf } from "../hot/given-up-deliveries.ts";
import { endStateNumber } from "../hot/kinds.ts";
import { settleApart } from "../hot/settle-apart.ts";
import { hourOf } from "../port/attempt-counts.ts";
import type {
  AttemptRecord,
  DisableRule,
  SettleOutcome,
  Settlement,
  SettlementNext,
} from "../port/deliveries.ts";
import { saveChatMessages } from "./chat.ts";
import type { Connection } from "./connection.ts";
import { recordHealth } from "./record-health.ts";
import { giveBackOrphans } from "./rescue.ts";

const OPEN_COLUMNS = `seq, event_seq, webhook_no, kind, order_key, lease, attempts, step, throttled, suspicion, origin, created_at, planned_at`;

export async function settle(
  db: Connection,
  instanceNo: number,
  settlements: readonly Settlement[],
  rule: DisableRule,
  auditKey: AuditKey,
): Promise<SettleOutcome> {
  return await settleApart(settlements, async (some) =>
    settleTogether(db, instanceNo, some, rule, auditKey),
  );
}

/** Ends leases: each row is deleted only under its lease, and inserted into `ended` or `pending`. */
function settleTogether(
  db: Connection,
  instanceNo: number,
  settlements: readonly Settlement[],
  rule: DisableRule,
  auditKey: AuditKey,
): Omit<SettleOutcome, "failed"> {
  return db.transaction(() => {
    const now = db.now();
    const refused: number[] = [];
    const owned: Settlement[] = [];
    for (const one of settlements) {
      if (moveIfOurs(db, instanceNo, one, now)) owned.push(one);
      else refused.push(one.seq);
    }
    if (owned.some(({ next }) => next.kind === "lost")) giveBackOrphans(db, [], now);
    saveChatMessages(db, owned);
    saveGivenUp(db, owned, now);
    return { refused, changedWebhooks: recordHealth(db, owned, rule, now, auditKey) };
  });
}

/** Returns false if it is not ours. */
function moveIfOurs(db: Connection, instanceNo: number, one: Settlement, now: number): boolean {
  const { next } = one;
  if (next.kind === "lost") return disown(db, instanceNo, one);
  if (next.kind === "end") return end(db, instanceNo, one, next, now);
  return goBack(db, instanceNo, one, now);
}

/** Its sender is treated as an instance of its own that ended: no real instance has a number below 0. */
function disown(db: Connection, instanceNo: number, { seq, lease }: Settlement): boolean {
  return (
    db.run(
      "update leased set instance_no = -instance_no where seq = ? and instance_no = ? and lease = ?",
      seq,
      instanceNo,
      lease,
    ) > 0
  );
}

/**
 * The row is copied within the database, because reading it and inserting it again costs three times as much. `or fail`:
 * SQLite would save every page that it changes, to be able to take back the rows before a faulty one, and here is only
 * one. The first attempt is stored in the row itself, and the last one's outcome too.
 */
function end(
  db: Connection,
  instanceNo: number,
  { seq, lease, attempt }: Settlement,
  next: Extract<SettlementNext, { kind: "end" }>,
  now: number,
): boolean {
  const copied = db.run(
    `insert or fail into ended (seq, event_seq, webhook_no, kind, order_key, state, reason, attempts, outcome, status, origin, created_at, ended_at, first_attempt)
     select seq, event_seq, webhook_no, kind, order_key, ?1, ?2, attempts + (?3 is not null),
       coalesce(?4, (select outcome from attempts where ?3 is null and delivery_seq = l.seq and number = l.attempts)),
       coalesce(?5, (select status from attempts where ?3 is null and delivery_seq = l.seq and number = l.attempts)),
       origin, created_at, ?6, case when attempts = 0 then ?7 end
     from leased l where seq = ?8 and instance_no = ?9 and lease = ?10`,
    endStateNumber(next.state),
    next.reason,
    attempt?.number ?? null,
    attempt?.outcome ?? null,
    attempt?.status ?? null,
    now,
    attempt?.detail ?? null,
    seq,
    instanceNo,
    lease,
  );
  if (copied === 0) return false;
  db.write("delete from leased where seq = ?", seq);
  if (attempt !== null && attempt.number > 1) saveAttempt(db, seq, attempt);
  return true;
}

/** To `pending`, for another attempt or because none was made. Copied within the database, as above. */
function goBack(
  db: Connection,
  instanceNo: number,
  { seq, lease, attempt, next }: Settlement,
  now: number,
): boolean {
  const retry = next.kind === "retry" ? next : null;
  const [counts, throttled] = [retry?.counts === true, retry?.throttled === true];
  const copied = db.run(
    `insert or fail into pending (${OPEN_COLUMNS}, due_at, asked_until)
     select seq, event_seq, webhook_no, kind, order_key, lease, attempts + ?, step + ?, throttled + ?, suspicion * ?, origin, created_at,
       case when ? then null else planned_at end, max(?, case when ? then coalesce(planned_at, 0) else 0 end), ?
     from leased where seq = ? and instance_no = ? and lease = ?`,
    attempt === null ? 0 : 1,
    counts ? 1 : 0,
    throttled ? 1 : 0,
    // A request with a known end crashed nothing.
    attempt === null ? 1 : 0,
    counts || throttled ? 1 : 0,
    now + Math.round(retry?.delayMs ?? 0),
    retry?.early === true ? 1 : 0,
    retry?.askedMs === undefined ? null : now + Math.round(retry.askedMs),
    seq,
    instanceNo,
    lease,
  );
  if (copied === 0) return false;
  db.write("delete from leased where seq = ?", seq);
  if (attempt !== null) saveAttempt(db, seq, attempt);
  return true;
}

function saveAttempt(db: Connection, seq: number, attempt: AttemptRecord): void {
  db.write(
    "insert into attempts (delivery_seq, number, outcome, status, detail) values (?, ?, ?, ?, ?)",
    seq,
    attempt.number,
    attempt.outcome,
    attempt.status,
    attempt.detail,
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
