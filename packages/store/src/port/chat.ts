import type { ChatDisabledReason } from "./webhooks.ts";

/** What messages to chats need next to the delivery. */
export interface ChatStore {
  /**
   * `sale`: the newest purchase of this user before the event whose message at this webhook is known; null also where
   * none was asked for.
   */
  context(of: {
    eventSeq: number;
    saleOf: { webhookNo: number; userId: number } | null;
  }): Promise<ChatContext>;
  /** It is not there any more. */
  forgetMessage(webhookNo: number, messageId: string): Promise<void>;
  /**
   * The owner's template could not be used: kept with the webhook and told by notice, once until it is changed.
   * Nothing happens where the options are no longer these.
   */
  noteFault(webhookNo: number, options: string, fault: string): Promise<void>;
  /**
   * The platform said in answer to a ping that this address is of no use: all webhooks that have it are disabled, and
   * their owners are told by notice.
   */
  disable(target: string, reason: ChatDisabledReason): Promise<void>;
  /** A notice for the operator. */
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
