import { type AuditEntry, type AuditKey, chainRows } from "../hot/audit-chain.ts";
import type { AuditActor } from "../port/audit.ts";
import type { Connection } from "./connection.ts";

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
  for (const row of rows) {
    db.write(
      `insert into audit (no, at, key_id, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, owner_id, resource_id, was, became, request_id, hash)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      row.no,
      row.at,
      row.key_id,
      row.actor_kind,
      row.actor_id,
      row.actor_name,
      row.action,
      row.subject_kind,
      row.subject_id,
      row.owner_id,
      row.resource_id,
      row.was,
      row.became,
      row.request_id,
      row.hash,
    );
  }
  db.write("update audit_head set no = ?, hash = ?, mac = ?", head.no, head.hash, head.mac);
}
