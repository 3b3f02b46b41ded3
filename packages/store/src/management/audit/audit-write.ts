import type { Transaction } from "kysely";
import { type AuditEntry, chainRows } from "../../hot/audit-chain.ts";
import { type AuditActor, type AuditValues, SYSTEM } from "../../port/audit.ts";
import type { Tables } from "../../tables.ts";
import type { ManagementContext } from "../context.ts";

/** It gets its time when it is written. */
export type NewAuditEntry = Omit<AuditEntry, "at">;

/** The context of an author's changes. */
export interface ActingContext extends ManagementContext {
  actor: AuditActor;
  /**
   * Adds rows to the chain. It is always the last statement of a transaction, because it locks the head's row until the
   * commit. Its holder takes no further locks, so transactions that wait for it cannot deadlock with it.
   */
  writeAudit(trx: Transaction<Tables>, entries: readonly NewAuditEntry[]): Promise<void>;
}

export function actingContext(
  context: ManagementContext,
  actor: AuditActor = SYSTEM,
): ActingContext {
  return {
    ...context,
    actor,
    async writeAudit(trx, entries) {
      if (entries.length === 0) return;
      const { no, hash, now } = await trx
        .updateTable("audit_head")
        .set((eb) => ({ no: eb("no", "+", entries.length) }))
        .returning(({ fn }) => ["no", "hash", fn<number>("mh_now", []).as("now")])
        .executeTakeFirstOrThrow();
      const start = { no: no - entries.length, hash };
      const dated = entries.map((entry) => ({ ...entry, at: Number(now) }));
      const { rows, head } = chainRows(context.auditKey, start, actor, dated);
      await trx.insertInto("audit").values(rows).execute();
      await trx.updateTable("audit_head").set({ hash: head.hash, mac: head.mac }).execute();
    },
  };
}

/** The values that differ between the two; null: none. */
export function difference(
  before: AuditValues,
  after: AuditValues,
): { before: AuditValues; after: AuditValues } | null {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length === 0) return null;
  const only = (values: AuditValues): AuditValues =>
    Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
  return { before: only(before), after: only(after) };
}
