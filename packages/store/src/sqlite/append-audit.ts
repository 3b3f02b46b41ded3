import { AUDIT_COLUMNS, type AuditEntry, type AuditKey, chainRows } from "../hot/audit-chain.ts";
import type { AuditActor } from "../port/audit.ts";
import type { Connection } from "./connection.ts";

const INSERT = `insert into audit (${AUDIT_COLUMNS.join(", ")})
values (${AUDIT_COLUMNS.map(() => "?").join(", ")})`;

/** Inside a transaction. A single writer needs no lock. */
export function appendAudit(
  db: Connection,
  key: AuditKey,
  actor: AuditActor,
  entries: readonly AuditEntry[],
): void {
  if (entries.length === 0) return;
  const last = db.get("select no, hash from audit_head");
  const start = { no: Number(last?.["no"]), hash: String(last?.["hash"]) };
  const { rows, head } = chainRows(key, start, actor, entries);
  for (const row of rows) db.write(INSERT, ...AUDIT_COLUMNS.map((name) => row[name]));
  db.write("update audit_head set no = ?, hash = ?, mac = ?", head.no, head.hash, head.mac);
}
