import { chatMessages, chatSignals } from "../hot/chat-signals.ts";
import type { HealthEvent } from "../hot/webhook-health.ts";
import type { Settlement } from "../port/deliveries.ts";
import type { Connection } from "./connection.ts";

/** Returns every webhook with an address that a signal is about. */
export function sharedSignals(
  db: Connection,
  settlements: readonly Settlement[],
): [number, HealthEvent][] {
  return [...chatSignals(settlements)].flatMap(([target, event]) =>
    db
      .all("select no from webhooks where chat_target = ? and deleted_at is null", target)
      .map((row): [number, HealthEvent] => [Number(row["no"]), event]),
  );
}

export function saveChatMessages(db: Connection, settlements: readonly Settlement[]): void {
  for (const { webhookNo, userId, eventSeq, messageId } of chatMessages(settlements)) {
    db.write(
      "insert or replace into chat_messages (webhook_no, user_id, event_seq, message_id) values (?, ?, ?, ?)",
      webhookNo,
      userId,
      eventSeq,
      messageId,
    );
  }
}
