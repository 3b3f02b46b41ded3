import { markOf } from "../../packages/store/src/encryption.ts";
import { applyHealth } from "../../packages/store/src/hot/webhook-health.ts";
import { healthByWebhook } from "../../packages/store/src/hot/health-signals.ts";
import { healthyAfterMs, judgeMarked } from "../../packages/store/src/hot/suspicion.ts";
import type {
  DisableRule,
  LeaseName,
  RescueOutcome,
  Settlement,
  SettleOutcome,
} from "@markethook/store";
import type { LeasedRow, ModelTables } from "./model-tables.ts";

/** Ends leases, each by its name. */
export function modelSettle(
  tables: ModelTables,
  instanceNo: number,
  settlements: readonly Settlement[],
  rule: DisableRule,
  now: number,
): SettleOutcome {
  const refused: number[] = [];
  const owned: Settlement[] = [];
  for (const one of settlements) {
    const row = tables.leased.get(one.seq);
    if (row === undefined || row.instanceNo !== instanceNo || row.lease !== one.lease) {
      refused.push(one.seq);
      continue;
    }
    tables.takeLeased(one.seq);
    owned.push(one);
    move(tables, row, one, now);
  }
  return { refused, changedWebhooks: recordHealth(tables, owned, rule, now), failed: [] };
}

function move(
  tables: ModelTables,
  row: LeasedRow,
  { attempt, next }: Settlement,
  now: number,
): void {
  const attempts = row.attempts + (attempt === null ? 0 : 1);
  if (attempt !== null) addAttempt(tables, row.seq, attempt.number);
  if (next.kind === "end") {
    const { seq, eventSeq, webhookNo } = row;
    tables.ended.push({ seq, eventSeq, webhookNo, state: next.state, attempts });
    return;
  }
  const retry = next.kind === "retry" ? next : null;
  const { instanceNo: _instanceNo, started: _started, ...open } = row;
  tables.addPending({
    ...open,
    attempts,
    step: row.step + (retry?.counts === true ? 1 : 0),
    throttled: row.throttled + (retry?.throttled === true ? 1 : 0),
    suspicion: attempt === null ? row.suspicion : 0,
    dueAt: now + Math.round(retry?.delayMs ?? 0),
    blocked: 0,
    suspectedIn: null,
  });
}

function addAttempt(tables: ModelTables, seq: number, number: number): void {
  const key = `${seq} ${number}`;
  if (tables.attempts.has(key)) throw new Error(`attempt ${number} of ${seq} is stored already`);
  tables.attempts.add(key);
}

function recordHealth(
  tables: ModelTables,
  owned: readonly Settlement[],
  rule: DisableRule,
  now: number,
): number[] {
  const changed: number[] = [];
  for (const [no, events] of healthByWebhook(owned, [])) {
    const webhook = tables.webhooks.get(no);
    if (webhook === undefined) continue;
    const before = tables.healthOf(no);
    const { state, reason } = webhook;
    // Counts of what a webhook accepts are kept by the server, which is not here.
    const acceptsOthers = before.badRequestKind === null ? null : false;
    const still = events.filter(
      ({ signal }) => signal.kind !== "disable" || signal.urlMark === markOf(webhook.url),
    );
    const outcome = applyHealth(before, { state, reason }, still, { ...rule, acceptsOthers }, now);
    webhook.health = outcome.health;
    if (!outcome.stateChanged) continue;
    changed.push(no);
    webhook.state = outcome.state.state;
    webhook.reason = outcome.state.reason;
    webhook.updatedAt = now;
  }
  return changed;
}

/** Gives back what an instance holds, or all but `held` of it. */
export function modelRelease(
  tables: ModelTables,
  instanceNo: number,
  held: readonly LeaseName[],
  now: number,
): number {
  const kept = new Map(held.map(({ seq, lease }) => [seq, lease]));
  const rows = [...tables.leased.values()].filter(
    (row) => row.instanceNo === instanceNo && kept.get(row.seq) !== row.lease,
  );
  for (const row of rows) waitAgain(tables, row, { dueAt: now });
  return rows.length;
}

/** Frees every lease whose instance is over. */
export function modelGiveBack(
  tables: ModelTables,
  survived: readonly number[],
  now: number,
): RescueOutcome {
  const rows = [...tables.leased.values()].filter(
    ({ instanceNo }) => !tables.instanceNos.has(instanceNo),
  );
  const suspects = rows.filter(({ instanceNo }) => !survived.includes(instanceNo));
  const marked = new Map(
    judgeMarked(suspects.filter(({ started }) => started)).map((one) => [one.seq, one]),
  );
  const levels = new Map<number, number>();
  for (const row of rows) {
    if (survived.includes(row.instanceNo)) {
      waitAgain(tables, row, { dueAt: now });
      continue;
    }
    const verdict = marked.get(row.seq);
    const level = verdict?.suspicion ?? Math.max(1, row.suspicion);
    levels.set(level, (levels.get(level) ?? 0) + 1);
    if (verdict !== undefined) addAttempt(tables, row.seq, row.attempts + 1);
    waitAgain(tables, row, {
      dueAt: now + (verdict?.delayMs ?? 0),
      attempts: row.attempts + (verdict === undefined ? 0 : 1),
      suspicion: level,
      suspectedIn: level > row.suspicion ? row.instanceNo : null,
    });
  }
  if (suspects.length > 0) {
    const before = tables.uncleanEnd;
    tables.uncleanEnd = {
      instanceNo: Math.max(...suspects.map(({ instanceNo }) => instanceNo)),
      at: now,
      beforeAt: before.at,
      healthyAt: now + healthyAfterMs(now - before.at),
    };
  }
  return {
    instanceNos: [],
    rescued: rows.length,
    suspects: [...levels]
      .map(([level, count]) => ({ level, count }))
      .sort((one, other) => one.level - other.level),
    quarantined: [...marked.values()].filter(({ quarantined }) => quarantined).length,
  };
}

function waitAgain(
  tables: ModelTables,
  row: LeasedRow,
  change: { dueAt: number; attempts?: number; suspicion?: number; suspectedIn?: number | null },
): void {
  tables.takeLeased(row.seq);
  const { instanceNo: _instanceNo, started: _started, ...open } = row;
  tables.addPending({ ...open, blocked: 0, suspectedIn: null, ...change });
}

/** An instance was taken for ended, and its process goes on. */
export function modelUndoUncleanEnd(tables: ModelTables, instanceNo: number): void {
  for (const row of tables.pending.values()) {
    if (row.suspectedIn !== instanceNo) continue;
    row.suspicion = Math.max(row.suspicion - 1, 0);
    row.suspectedIn = null;
  }
  const end = tables.uncleanEnd;
  if (end.instanceNo !== instanceNo) return;
  end.healthyAt = Math.min(end.healthyAt, end.beforeAt + healthyAfterMs(0));
  end.at = end.beforeAt;
}
