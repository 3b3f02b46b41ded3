import { stateEntry } from "../../hot/audit-chain.ts";
import { isFinal } from "../../hot/webhook-health.ts";
import type { ChatStore } from "../../port/chat.ts";
import type { ChatDisabledReason, WebhookState } from "../../port/webhooks.ts";
import { createAuditWriter } from "../audit/audit-write.ts";
import type { ManagementContext } from "../context.ts";
import { insertNotice } from "../notices/notices.ts";
import { selectWebhooks } from "./webhook-row.ts";

/**
 * Disables the webhooks of an address because of the answer to a ping. Answers to deliveries do so with their
 * settlement. It changes one webhook after the other, so that no transaction waits for several rows while it has one.
 */
export function createDisableChat(context: ManagementContext): ChatStore["disable"] {
  const { db, transact, dialect, webhooksChanged } = context;
  const writeAudit = createAuditWriter(context);

  async function disableOne(id: string, target: string, reason: ChatDisabledReason) {
    return await transact(async (trx) => {
      await dialect.lockRows(trx, "webhooks", [id]);
      const row = await selectWebhooks(trx)
        .where("w.id", "=", id)
        .where("w.chat_target", "=", target)
        .where("w.deleted_at", "is", null)
        .executeTakeFirst();
      if (row === undefined) return null;
      // The column has one of the three words.
      const before = { state: row.state as WebhookState, reason: row.reason };
      if (isFinal(before)) return null;
      const after = { state: "disabled", reason } as const;
      await trx
        .updateTable("webhooks")
        .set({ ...after, probe_at: null, updated_at: row.now })
        .where("no", "=", row.no)
        .execute();
      await insertNotice(trx, row, { kind: "webhook_disabled", detail: { reason } }, row.now);
      await writeAudit(trx, [stateEntry({ ...row }, before, after, row.now)]);
      return row.no;
    });
  }

  return async (target, reason) => {
    const rows = await db
      .selectFrom("webhooks")
      .select("id")
      .where("chat_target", "=", target)
      .where("deleted_at", "is", null)
      .orderBy("no")
      .execute();
    const changed: number[] = [];
    for (const { id } of rows) {
      const no = await disableOne(id, target, reason);
      if (no !== null) changed.push(no);
    }
    if (changed.length > 0) webhooksChanged(changed);
  };
}
