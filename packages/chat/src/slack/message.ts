import type { ChatMessage, ChatOptions } from "../chat-format.ts";
import { cleanLine, cutText } from "../clean-text.ts";
import { defaultMessage } from "../default-messages.ts";
import { type EventFacts, readFacts, type ReadFacts } from "../event-facts.ts";
import { knownFacts } from "../known-facts.ts";
import { parseTemplate } from "../template.ts";
import { webUrl } from "../web-url.ts";
import { type TextRules, writeTexts } from "../written-texts.ts";
import { marked, plain, SLACK_LIMITS, type SlackBlock, type SlackMessage } from "./message-form.ts";

/** All that the warnings about a message can say. */
export const WARNINGS = {
  title: "The title is longer than Slack takes and was cut.",
  text: "The text is longer than Slack takes and was cut.",
} as const;

/** A placeholder may be anywhere, because the whole text is escaped once it is filled in. */
export const TEXT_RULES: TextRules = {
  standard: (event) => defaultMessage(event, "*"),
  parse: parseTemplate,
  enough: 2 * SLACK_LIMITS.text,
  escape: (value) => value,
};

export function slackMessage(event: EventFacts, options: ChatOptions): ChatMessage {
  const chosen = options.messages[event.name] ?? {};
  const facts = readFacts(event);
  const { title, text, fault } = writeTexts(event.name, facts, chosen, TEXT_RULES);
  const known = chosen.fields === false ? [] : knownFacts(event.name, facts);
  const shown = cleanLine(text) === "" ? "" : text;
  const footer = footerOf(facts);
  const fields = known.slice(0, SLACK_LIMITS.facts).flatMap(([name, value]) => [
    marked(`*${name}*`),
    // A plain text has no marks: an order's number is copied as it is.
    plain(fit(value, SLACK_LIMITS.fieldValue)),
  ]);
  const blocks: SlackBlock[] = [{ type: "header", text: plain(fit(title, SLACK_LIMITS.header)) }];
  if (shown !== "") {
    blocks.push({ type: "section", text: marked(fit(shown, SLACK_LIMITS.text)) });
  }
  if (fields.length > 0) blocks.push({ type: "section", fields });
  if (footer !== "") blocks.push({ type: "context", elements: [marked(footer)] });
  const lines = [title, shown, known.map(([name, value]) => `${name}: ${value}`).join(", ")];
  const message: SlackMessage = {
    text: fit(lines.filter((line) => line !== "").join("\n"), SLACK_LIMITS.text),
    blocks,
    parse: "none",
    unfurl_links: false,
    unfurl_media: false,
  };
  return {
    body: JSON.stringify(message),
    colour: null,
    warnings: [
      ...(escaped(title).length > SLACK_LIMITS.header ? [WARNINGS.title] : []),
      ...(escaped(shown).length > SLACK_LIMITS.text ? [WARNINGS.text] : []),
    ],
    fault,
  };
}

/** The marketplace's name, with a link to the resource, and the time, which Slack writes in its reader's time zone. */
function footerOf({ serviceName, url, time, timestamp }: ReadFacts): string {
  const name = fit(serviceName, SLACK_LIMITS.header);
  const link = linkOf(url);
  const parts = [
    link === null || name === "" ? name : `<${link}|${name}>`,
    timestamp === null
      ? ""
      : `<!date^${Date.parse(timestamp) / 1000}^{date_short_pretty} {time}|${time}>`,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

function linkOf(value: unknown): string | null {
  const url = webUrl(value);
  if (url === null) return null;
  const link = escaped(url.href.replace(/[|<>]/g, encodeURIComponent));
  return link.length <= 2000 ? link : null;
}

/** The three characters by which mentions, links and commands begin and end. Slack knows no other escapes. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Escaped, and not longer than the limit after that. */
function fit(text: string, limit: number): string {
  if (escaped(text).length <= limit) return escaped(text);
  let kept = 0;
  for (let length = 0; ; kept += 1) {
    length += escaped(text.charAt(kept)).length;
    // One is left for the ellipsis.
    if (length >= limit) break;
  }
  return escaped(cutText(text, Math.min(kept + 1, text.length - 1)));
}
