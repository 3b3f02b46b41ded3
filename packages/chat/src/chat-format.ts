import type { EventName, ReportedEventName } from "@markethook/protocol";
import type { ChatAnswer, ChatResponse } from "./chat-answer.ts";
import type { EventFacts, SaleFacts } from "./event-facts.ts";
import type { MessageFault } from "./message-fault.ts";
import type { Piece } from "./template.ts";

/**
 * A chat platform that webhooks can speak to: a folder and a line in `chat-formats.ts`, and everything else works with
 * this. No I/O, no clock: the same code makes the message that is sent and the preview on the page.
 */
export interface ChatFormat {
  /** As stored, and in settings. */
  readonly name: string;
  /** As people call it. */
  readonly label: string;
  readonly limits: ChatLimits;
  /** Events of a new webhook whose owner chose none. */
  readonly defaultEvents: readonly ReportedEventName[];
  readonly optionRules: ChatOptionRules;
  /** The `User-Agent` in the form that the platform requires. */
  userAgent(service: { url: string; version: string }): string;
  /** The message of an owner who changed nothing. The page begins with it. */
  defaultMessage(event: EventName): DefaultMessage;
  /** How much of the platform's limits a finished message uses. */
  limitsUsed(message: ChatMessage): LimitUse[];
  /** All sentences that `ChatMessage.warnings` may have, for the words of other languages. */
  readonly warnings: readonly string[];
  /** Null: not an address of this platform. */
  recognise(url: string): Recognised | null;
  /**
   * Never throws and is never longer than the platform takes: where the owner's own template cannot be used, the
   * default message is made instead and `fault` says why.
   */
  message(facts: EventFacts, options: ChatOptions): ChatMessage;
  /**
   * The sale's message again, with its refund or chargeback; for `options.refunds` = `edit`. Null: the platform cannot
   * change a message that was posted.
   */
  readonly editedSale:
    | ((sale: SaleFacts, removal: EventFacts, options: ChatOptions) => ChatMessage)
    | null;
  request(target: ChatTarget, message: ChatMessage, how: ChatRequestOptions): ChatRequest;
  readAnswer(response: ChatResponse): ChatAnswer;
}

/** An owner's choices for the messages. Stored as JSON; checked by `checkChatOptions` before that. */
export interface ChatOptions {
  /** Absent event, absent member: as it is by default. */
  messages: Partial<Record<EventName, MessageOptions>>;
  /** A refund or chargeback changes the sale's message, or posts one of its own. */
  refunds: "post" | "edit";
  /** As the platform writes it; null: the chat itself. */
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
  /** As the platform writes it: the one role that this event's message may mention. */
  mentionRoleId?: string;
}

export const DEFAULT_CHAT_OPTIONS: ChatOptions = { messages: {}, refunds: "post", threadId: null };

/** The limits that a platform sets for the webhooks of one instance. */
export interface ChatLimits {
  /** Requests to all addresses together. */
  perSecond: number;
  /** Requests to one address in this time. Null: the platform's answers state it. */
  perAddress: { requests: number; windowMs: number } | null;
  /** This many replies within this time that call a request invalid pause sending to the platform. */
  invalid: { answers: number; windowMs: number };
}

/** Which of `ChatOptions` a platform has: the page offers these, and `checkChatOptions` refuses all others. */
export interface ChatOptionRules {
  /** Of templates, in UTF-16 units. */
  titleLength: number;
  textLength: number;
  /** Null: the platform has no threads; no roles. */
  threads: IdRule | null;
  roles: IdRule | null;
  /** Whether a message has a colour, and fields below its text. */
  colours: boolean;
  fields: boolean;
  parseTemplate(event: EventName, template: string): { pieces: Piece[] } | { fault: MessageFault };
}

/** How a platform numbers its threads or roles. */
export interface IdRule {
  pattern: RegExp;
  /** How many digits there are, for people: `17–20`. */
  digits: string;
}

/** `fault`: a sentence for the owner: it looks like this platform's address, but cannot be used. */
export type Recognised = { target: ChatTarget } | { fault: string };

export interface ChatTarget {
  /** The address in its one canonical form, without thread, API version and pasted suffixes. A secret. */
  url: string;
  /** For people: without what lets one post. */
  shownUrl: string;
  /** From the address; null: none. */
  threadId: string | null;
}

export interface DefaultMessage {
  /** Templates, as an owner would write them. */
  title: string;
  text: string;
}

export interface LimitUse {
  /** For people: `Title`. */
  part: string;
  used: number;
  limit: number;
}

export interface ChatMessage {
  /** JSON text of the request's body; well-formed, within the platform's limits. */
  body: string;
  /** Of its edge; 0 to 0xffffff. Null: the platform has no colours. */
  colour: number | null;
  /** Sentences for the owner: what was cut or could not be used. */
  warnings: string[];
  /** The owner's own template could not be used, and the default message replaces it. */
  fault: MessageFault | null;
}

export interface ChatRequestOptions {
  threadId: string | null;
  /** Changes this message instead of posting a new one. */
  editMessageId: string | null;
  userAgent: string;
  /** Where the platform's API is reached instead of its own origin, without a slash at the end. */
  origin: string | null;
}

export interface ChatRequest {
  method: "POST" | "PATCH";
  /** A secret. */
  url: string;
  /** The same without what lets one post. */
  shownUrl: string;
  /** Without Host and Content-Length. */
  headers: [name: string, value: string][];
  body: string;
}
