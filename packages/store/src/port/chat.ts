import type { ChatDisabledReason } from "./webhooks.ts";

/** Data for messages to chats, besides the delivery. */
export interface ChatStore {
  /**
   * `sale`: the newest purchase of this user before the event whose message at this webhook is known. Null: there is
   * none, or none was asked for.
   */
  context(of: {
    eventSeq: number;
    saleOf: { webhookNo: number; userId: number } | null;
  }): Promise<ChatContext>;
  /** Forgets a message that was deleted. */
  forgetMessage(webhookNo: number, messageId: string): Promise<void>;
  /**
   * Stores with the webhook that the owner's template could not be used, and makes a notice, once until the template is
   * changed. Does nothing if the options have changed.
   */
  noteFault(webhookNo: number, options: string, fault: string): Promise<void>;
  /**
   * Call when the platform answered a ping that this address is of no use. Disables all webhooks that have it, and
   * makes notices for their owners.
   */
  disable(target: string, reason: ChatDisabledReason): Promise<void>;
  /** Makes a notice for the operator. */
  notePaused(detail: Record<string, string | number | null>): Promise<void>;
}

export interface ChatContext {
  /** JSON text as reported; null: none, or erased. */
  details: string | null;
  sale: ChatSale | null;
}

export interface ChatSale {
  messageId: string;
  /** Unix seconds. */
  time: number;
  /** JSON text. */
  payload: string;
  details: string | null;
}
