import type { PoolClient } from "pg";
import { type AuditEntry, type AuditKey, chainRows } from "../hot/audit-chain.ts";
import type { AuditActor } from "../port/audit.ts";

/** The last statement of a transaction: it locks the head's row until the commit. */
export async function appendAudit(
  client: PoolClient,
  key: AuditKey,
  actor: AuditActor,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const last = await client.query("select no, hash from audit_head for update");
  const start = { no: Number(last.rows[0]?.["no"]), hash: String(last.rows[0]?.["hash"]) };
  const { rows, head } = chainRows(key, start, actor, entries);
  for (const row of rows) {
    await client.query(
      `insert into audit (no, at, key_id, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, owner_id, resource_id, was, became, request_id, hash)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
      [
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
      ],
    );
  }
  await client.query("update audit_head set no = $1, hash = $2, mac = $3", [
    head.no,
    head.hash,
    head.mac,
  ]);
}
