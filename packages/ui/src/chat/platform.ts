/** What the pages say about a chat platform. */
export interface ChatWords {
  /** Where messages appear, after "a". */
  channel: string;
  /** On the card of the page without webhooks. */
  about: string;
  /** Below the fields of a message. */
  text: string;
  role: string;
  preview: string;
  /** By the reason for which a webhook was disabled. */
  disabled: Readonly<Record<"chat_deleted" | "chat_token" | "chat_forbidden", string>>;
}

export interface PreviewProps {
  /** `ChatMessage.body` */
  body: string;
  /** Who posts it. */
  name: string;
  look: "light" | "dark";
  edited: boolean;
}
