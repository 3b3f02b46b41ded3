import type { ChatSale, ChatStore } from "../../port/chat.ts";
import { databaseNow, type ManagementContext } from "../context.ts";
import { createDisableChat } from "./disable-chat.ts";
import { insertNotice } from "../notices/notices.ts";

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
      const event = await reader
        .selectFrom("events")
        .select("details")
        .where("seq", "=", eventSeq)
        .executeTakeFirst();
      return {
        details: event?.details ?? null,
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
        const notice = { kind: "chat_template_failed", detail: { fault } } as const;
        await insertNotice(trx, row, notice, await databaseNow(trx));
        return true;
      });
      if (noted) webhooksChanged([webhookNo]);
    },

    disable: createDisableChat(context),

    async notePaused(detail) {
      await insertNotice(db, null, { kind: "chat_paused", detail }, await databaseNow(db));
    },
  };
}
