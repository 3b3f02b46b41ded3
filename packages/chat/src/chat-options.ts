import type { EventName } from "@markethook/protocol";

/** What an owner may choose of the messages. Stored as JSON; checked by `checkChatOptions` before that. */
export interface ChatOptions {
  /** Absent event, absent member: as it is by default. */
  messages: Partial<Record<EventName, MessageOptions>>;
  /** A refund or chargeback changes the sale's message, or posts one of its own. */
  refunds: "post" | "edit";
  /** Digits; null: the channel itself. */
  threadId: string | null;
}

export interface MessageOptions {
  /** With placeholders such as `{resource}`. */
  title?: string;
  text?: string;
  /** 0 to 0xffffff. */
  colour?: number;
  /** False: title and text alone, without the fields below them. */
  fields?: boolean;
  /** Digits: the one role that this event's message may mention. */
  mentionRoleId?: string;
}

export const DEFAULT_CHAT_OPTIONS: ChatOptions = { messages: {}, refunds: "post", threadId: null };
