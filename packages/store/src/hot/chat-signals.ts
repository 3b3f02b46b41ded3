import type { Settlement } from "../port/deliveries.ts";
import type { HealthEvent } from "./webhook-health.ts";
import { kindOf } from "./kinds.ts";

/** Signals of chat platforms about addresses, once each. Empty for nearly every batch. */
export function chatSignals(settlements: readonly Settlement[]): Map<string, HealthEvent> {
  const byTarget = new Map<string, HealthEvent>();
  for (const { health, eventSeq, eventName } of settlements) {
    if (health?.kind !== "disable_chat" || byTarget.has(health.target)) continue;
    byTarget.set(health.target, { signal: health, eventSeq, kind: kindOf(eventName) });
  }
  return byTarget;
}

export interface ChatMessageRow {
  webhookNo: number;
  userId: number;
  eventSeq: number;
  messageId: string;
}

/** References to messages that are to be stored, once per place and sorted. Empty for nearly every batch. */
export function chatMessages(settlements: readonly Settlement[]): ChatMessageRow[] {
  const byPlace = new Map<string, ChatMessageRow>();
  for (const { webhookNo, eventSeq, chatMessage } of settlements) {
    if (chatMessage === undefined) continue;
    byPlace.set(`${webhookNo} ${chatMessage.userId} ${eventSeq}`, {
      webhookNo,
      eventSeq,
      ...chatMessage,
    });
  }
  return [...byPlace.values()].sort(
    (a, b) => a.webhookNo - b.webhookNo || a.userId - b.userId || a.eventSeq - b.eventSeq,
  );
}
