import type { ChatSale, ChatStore } from "../../port/chat.ts";
import type { ManagementContext } from "../context.ts";
import { insertNotices } from "../notices/notices.ts";
import { stateEntry } from "../../hot/audit-chain.ts";
import { isFinal } from "../../hot/webhook-health.ts";
import type { ChatDisabledReason, WebhookState } from "../../port/webhooks.ts";
import { actingContext } from "../audit/audit-write.ts";
import { listDetails } from "../log/explanation.ts";
import { selectWebhooks } from "./webhook-row.ts";

export function createChat(context: ManagementContext): ChatStore {
  const { db, transact, reader, webhooksChanged } = context;

  async function findSale(
    eventSeq: number,
    { webhookNo, userId }: { webhookNo: number; userId: number },
  ): Promise<ChatSale | null> {
    const row = await reader
      .selectFrom("chat_messages as m")
      .innerJoin("events as e", "e.seq", "m.event_seq")
      .select(["m.message_id", "e.time", "e.payload", "e.details"])
      .where("m.webhook_no", "=", webhookNo)
      .where("m.user_id", "=", userId)
      .where("m.event_seq", "<", eventSeq)
      .orderBy("m.event_seq", "desc")
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { message_id: messageId, time, payload, details } = row;
    return { messageId, time: Number(time), payload, details };
  }

  return {
    async context({ eventSeq, saleOf }) {
      return {
        details: (await listDetails(reader, [eventSeq])).get(eventSeq) ?? null,
        sale: saleOf === null ? null : await findSale(eventSeq, saleOf),
      };
    },

    async forgetMessage(webhookNo, messageId) {
      await db
        .deleteFrom("chat_messages")
        .where("webhook_no", "=", webhookNo)
        .where("message_id", "=", messageId)
        .execute();
    },

    async noteFault(webhookNo, options, fault) {
      const noted = await transact(async (trx) => {
        const row = await trx
          .updateTable("webhooks")
          .set({ chat_fault: fault })
          .where("no", "=", webhookNo)
          .where("chat_options", "=", options)
          .where("chat_fault", "is", null)
          .where("deleted_at", "is", null)
          .returning(["id", "owner_id", "resource_id"])
          .executeTakeFirst();
        if (row === undefined) return false;
        await insertNotices(trx, [{ about: row, kind: "chat_template_failed", detail: { fault } }]);
        return true;
      });
      if (noted) webhooksChanged([webhookNo]);
    },

    disable: createDisableChat(context),

    async notePaused(detail) {
      await insertNotices(db, [{ about: null, kind: "chat_paused", detail }]);
    },
  };
}

/**
 * Disables the webhooks of an address because of the answer to a ping. Answers to deliveries do so with their
 * settlement. It changes one webhook after the other, so that no transaction waits for several rows while it has one.
 */
function createDisableChat(context: ManagementContext): ChatStore["disable"] {
  const { db, transact, dialect, webhooksChanged, writeAudit } = actingContext(context);

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
      await insertNotices(trx, [{ about: row, kind: "webhook_disabled", detail: { reason } }]);
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
