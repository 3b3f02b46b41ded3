import type { SQLInputValue, SQLOutputValue } from "node:sqlite";
import { type AcceptedSome, acceptInTransaction } from "../hot/accept.ts";
import type { AcceptContext } from "../hot/accept-transaction.ts";
import type { AuditKey } from "../hot/audit-chain.ts";
import type { LeaseBudgetLeft } from "../hot/fan-out.ts";
import type { DisableRule, LeaseName } from "../port/deliveries.ts";
import { acceptTransaction } from "./accept.ts";
import { tryAccept } from "./trial-accept.ts";
import { addAttemptCounts } from "./attempt-counts.ts";
import { cancelMarked } from "./cancel-marked.ts";
import { claim, claimProbes, markStarted } from "./claim.ts";
import { BUSY_TIMEOUT_MS, type Connection } from "./connection.ts";
import { endInstance, renewInstance, startInstance } from "./instances.ts";
import { Keys } from "./idempotency-keys.ts";
import { prune } from "./prune.ts";
import { oldestDue, statistics } from "./statistics.ts";
import { readAll, replaceNoNumbers } from "./read-rows.ts";
import { release, rescue } from "./rescue.ts";
import {
  receiveItem,
  receiveSettlement,
  sendAccepted,
  type SentItem,
  type SentSettlement,
} from "./rows-between-threads.ts";
import { settle } from "./settle.ts";
import { watchDeliveries } from "./watch-deliveries.ts";

/** The writer must not wait for a long read, such as a backup. */
const CUT_LOG_WAIT_MS = 200;

/** Operations of the worker thread. Names and arguments are the messages. */
export function createOperations(db: Connection, context: AcceptContext) {
  // Readers share this code, and have no keys.
  const openKeys = db.readOnly ? null : new Keys(db);
  const keys = (): Keys => {
    if (openKeys === null) throw new Error("this connection only reads");
    return openKeys;
  };
  const pruneCursor = { ended: 0, events: 0, notices: 0 };
  const cancelCursor = { after: 0 };
  const here =
    <Values extends unknown[], Result>(run: (db: Connection, ...values: Values) => Result) =>
    (...values: Values): Result =>
      run(db, ...values);
  return {
    accept: async (sent: readonly SentItem[], budget: LeaseBudgetLeft | null) => {
      const items = sent.map(receiveItem);
      let outcome: AcceptedSome;
      db.begin();
      try {
        // Resolved values only, because the transaction ends before the thread sees its next message.
        const tx = acceptTransaction(db, keys());
        outcome = await acceptInTransaction(tx, context, items, budget);
        db.commit();
      } catch (error) {
        db.rollback();
        throw error;
      }
      return sendAccepted(outcome);
    },
    claim: here(claim),
    claimProbes: here(claimProbes),
    settle: (
      instanceNo: number,
      settlements: readonly SentSettlement[],
      rule: DisableRule,
      auditKey: AuditKey,
    ) => settle(db, instanceNo, settlements.map(receiveSettlement), rule, auditKey),
    markStarted: here(markStarted),
    rescue: here(rescue),
    releaseForgotten: (instanceNo: number, held: readonly LeaseName[]) =>
      db.transaction(() => release(db, instanceNo, held)),
    cancelMarked: (limit: number) => cancelMarked(db, cancelCursor, limit),
    oldestDue: here(oldestDue),
    watchDeliveries: here(watchDeliveries),
    addAttemptCounts: here(addAttemptCounts),
    startInstance: here(startInstance),
    renewInstance: here(renewInstance),
    endInstance: here(endInstance),
    prune: (retentionMs: number, idempotencyMs: number, limit: number) =>
      prune(db, keys(), pruneCursor, retentionMs, idempotencyMs, limit),
    now: () => db.now(),
    pruneNow: () => db.pruneNow(),
    clockBase: () => db.clockBase,
    advance: (ms: number) => db.advance(ms),
    begin: () => db.begin(),
    commit: () => db.commit(),
    rollback: () => db.rollback(),
    query: (sql: string, parameters: readonly SQLInputValue[], inTransaction: boolean) =>
      inTransaction ? query(db, sql, parameters) : db.transaction(() => query(db, sql, parameters)),
    /** On a connection that only reads. */
    read: (sql: string, parameters: readonly SQLInputValue[]) => query(db, sql, parameters),
    cutLog: here(cutLog),
    statistics: here(statistics),
    tryAccept: here(tryAccept),
  };
}

export type Operations = ReturnType<typeof createOperations>;

function query(db: Connection, sql: string, parameters: readonly SQLInputValue[]) {
  const statement = db.statement(sql);
  // A statement that yields no columns changes rows; one that does (select, returning) is read.
  const found = statement.columns();
  const columns = found.map(({ name }) => name);
  if (columns.length === 0) {
    return { columns, rows: [], changes: Number(statement.run(...parameters).changes) };
  }
  // Names are sent to the other thread once, not with each row.
  statement.setReturnArrays(true);
  const rows = readAll<SQLOutputValue[]>(statement, parameters);
  const numbers = found.flatMap(({ type }, at) => (type === "INTEGER" ? [at] : []));
  replaceNoNumbers(rows, numbers);
  return { columns, rows, changes: rows.length };
}

/** The log contains the old pages until it is cut. Not inside of a transaction. Returns false if a read is open. */
function cutLog(db: Connection): boolean {
  db.exec(`pragma busy_timeout = ${CUT_LOG_WAIT_MS}`);
  try {
    return db.get("pragma wal_checkpoint(truncate)")?.["busy"] === 0;
  } finally {
    db.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}
