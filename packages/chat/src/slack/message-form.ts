import type { ChatMessage, LimitUse } from "../chat-format.ts";

/** The members of a message that ours have, in Slack's words. */
export interface SlackMessage {
  /** For notifications, screen readers, and programs that show no blocks. */
  text: string;
  blocks: SlackBlock[];
  parse: "none";
  unfurl_links: false;
  unfurl_media: false;
}

export type SlackBlock =
  | { type: "header"; text: PlainText }
  | { type: "section"; text: MarkedText }
  /** Names and values in turn, in two columns. */
  | { type: "section"; fields: (PlainText | MarkedText)[] }
  | { type: "context"; elements: [MarkedText] };

interface PlainText {
  type: "plain_text";
  text: string;
  emoji: false;
}

/** `verbatim`: Slack makes no links or mentions of plain words. */
interface MarkedText {
  type: "mrkdwn";
  text: string;
  verbatim: true;
}

/** Slack's, in characters; counted here in UTF-16 units, which are never fewer, after escaping. */
export const SLACK_LIMITS = { header: 150, text: 3000, fieldValue: 2000, facts: 5 } as const;

export function plain(text: string): PlainText {
  return { type: "plain_text", text, emoji: false };
}

export function marked(text: string): MarkedText {
  return { type: "mrkdwn", text, verbatim: true };
}

export function messageLimits({ body }: ChatMessage): LimitUse[] {
  // Made by this package.
  const { blocks } = JSON.parse(body) as SlackMessage;
  const lengthOf = (type: SlackBlock["type"]): number =>
    Math.max(
      0,
      ...blocks.map((one) => (one.type === type && "text" in one ? one.text.text.length : 0)),
    );
  return [
    { part: "Title", used: lengthOf("header"), limit: SLACK_LIMITS.header },
    { part: "Text", used: lengthOf("section"), limit: SLACK_LIMITS.text },
  ];
}
