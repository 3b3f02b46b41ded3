import type { PoolClient } from "pg";
import { AUDIT_COLUMNS, type AuditEntry, type AuditKey, chainRows } from "../hot/audit-chain.ts";
import type { AuditActor } from "../port/audit.ts";

const INSERT = `insert into audit (${AUDIT_COLUMNS.join(", ")})
values (${AUDIT_COLUMNS.map((_, index) => `$${index + 1}`).join(", ")})`;

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
    const values = AUDIT_COLUMNS.map((name) => row[name]);
    await client.query(INSERT, values);
  }
  await client.query("update audit_head set no = $1, hash = $2, mac = $3", [
    head.no,
    head.hash,
    head.mac,
  ]);
}
