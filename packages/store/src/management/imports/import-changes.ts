import type { Kysely, Selectable } from "kysely";
import type { AuditEntry } from "../../hot/audit-chain.ts";
import type { Tables } from "../../tables.ts";
import { webhookChanges } from "../audit/audit-values.ts";
import { insertNotice } from "../notices/notices.ts";
import { shownHost } from "../webhooks/webhook-address.ts";
import { selectWebhooks } from "../webhooks/webhook-row.ts";

/** Call after an import has changed these webhooks. Makes notices for their owners, and returns the audit rows. */
export async function recordChanges(
  trx: Kysely<Tables>,
  before: readonly Selectable<Tables["webhooks"]>[],
  now: number,
): Promise<AuditEntry[]> {
  if (before.length === 0) return [];
  const rows = await selectWebhooks(trx)
    .where(
      "w.no",
      "in",
      before.map((row) => row.no),
    )
    .execute();
  const after = new Map(rows.map((row) => [row.no, row]));
  const entries: AuditEntry[] = [];
  for (const old of before) {
    const row = after.get(old.no);
    if (row === undefined) continue;
    entries.push(...webhookChanges("webhook.change", { ...row, ...old }, row));
    if (old.url !== row.url) {
      const detail = { fromHost: shownHost(old), toHost: shownHost(row) };
      await insertNotice(trx, row, { kind: "webhook_url_changed", detail }, now);
    }
    const detail = { mode: "imported" };
    if (old.secret !== row.secret)
      await insertNotice(trx, row, { kind: "webhook_secret_changed", detail }, now);
  }
  return entries;
}
