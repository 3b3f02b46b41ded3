import type { Kysely, Selectable } from "kysely";
import type { AuditEntry } from "../hot/audit-chain.ts";
import type { Seal } from "../seal.ts";
import type { Tables } from "../tables.ts";
import { webhookChanges } from "./audit-facts.ts";
import { insertNotice } from "./notices.ts";
import { addressOf, shownUrlOf } from "./webhook-address.ts";
import { selectWebhooks } from "./webhook-row.ts";

/** After an import has written over these webhooks: tells their owners, and answers what the audit log is told. */
export async function recordChanges(
  trx: Kysely<Tables>,
  before: readonly Selectable<Tables["webhooks"]>[],
  seal: Seal,
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
    const to = { ownerId: row.owner_id, resourceId: row.resource_id, webhookId: row.id, now };
    if (addressOf(old, seal).url !== addressOf(row, seal).url) {
      const [fromHost, toHost] = [old, row].map((one) => new URL(shownUrlOf(one)).host);
      const detail = { fromHost: fromHost ?? null, toHost: toHost ?? null };
      await insertNotice(trx, { ...to, kind: "webhook_url_changed", detail });
    }
    if (old.secret !== row.secret)
      await insertNotice(trx, {
        ...to,
        kind: "webhook_secret_changed",
        detail: { mode: "imported" },
      });
  }
  return entries;
}
