import type { PoolClient } from "pg";
import { chatMessages, chatSignals } from "../hot/chat-signals.ts";
import type { HealthEvent } from "../hot/webhook-health.ts";
import type { Settlement } from "../port/deliveries.ts";

/**
 * Returns every webhook with an address that a signal is about. A webhook that changes meanwhile is checked again under
 * a lock.
 */
export async function sharedSignals(
  client: PoolClient,
  settlements: readonly Settlement[],
): Promise<[number, HealthEvent][]> {
  const said = chatSignals(settlements);
  if (said.size === 0) return [];
  const { rows } = await client.query(
    "select no, chat_target from webhooks where chat_target = any($1) and deleted_at is null",
    [[...said.keys()]],
  );
  return rows.flatMap((row): [number, HealthEvent][] => {
    const event = said.get(String(row["chat_target"]));
    return event === undefined ? [] : [[Number(row["no"]), event]];
  });
}

export async function saveChatMessages(
  client: PoolClient,
  settlements: readonly Settlement[],
): Promise<void> {
  const messages = chatMessages(settlements);
  if (messages.length === 0) return;
  await client.query(
    `insert into chat_messages (webhook_no, user_id, event_seq, message_id)
     select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[])
     on conflict (webhook_no, user_id, event_seq) do update set message_id = excluded.message_id`,
    [
      messages.map((one) => one.webhookNo),
      messages.map((one) => one.userId),
      messages.map((one) => one.eventSeq),
      messages.map((one) => one.messageId),
    ],
  );
}
