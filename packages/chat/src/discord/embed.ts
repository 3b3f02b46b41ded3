import type { EventName } from "@markethook/protocol";
import type { MessageOptions } from "../chat-format.ts";
import { cutText } from "../clean-text.ts";
import { defaultMessage } from "../default-messages.ts";
import type { ReadFacts, Removal } from "../event-facts.ts";
import { webUrl } from "../web-url.ts";
import type { TextRules } from "../written-texts.ts";
import { DISCORD_LIMITS, type DiscordEmbed, type DiscordField, lengthOf } from "./message-form.ts";
import { escapeInAddress, escapeMarkdown } from "./escape.ts";
import { parseDiscordTemplate } from "./template-rules.ts";

export interface EmbedParts {
  title: string;
  text: string;
  colour: number;
  fields: readonly DiscordField[];
}

/** All that the warnings about a message can say. */
export const WARNINGS = {
  link: "Discord takes no link to this resource's address.",
  title: "The title is longer than Discord takes and was cut.",
  footer: "The footer is longer than Discord takes and was cut.",
  text: "The text is longer than Discord takes and was cut.",
} as const;
type Warning = keyof typeof WARNINGS;

export const TEXT_RULES: TextRules = {
  standard: (event) => defaultMessage(event, "**"),
  parse: parseDiscordTemplate,
  // Twice the longest part of a message.
  enough: 2 * DISCORD_LIMITS.description,
  escape: (value, place) => (place === "address" ? escapeInAddress(value) : escapeMarkdown(value)),
};

const REMOVED = 0x95a5a6;

/** A removal's own colour replaces that of its message. */
const COLOURS: Readonly<Record<EventName, number>> = {
  ping: 0x99aab5,
  "product.update": 0x5865f2,
  "product.user.purchase": 0x2ecc71,
  "product.user.purchaseRemoved": REMOVED,
  "product.user.firstDownload": 0x1abc9c,
};

const REMOVAL_COLOURS: Readonly<Record<Removal, number>> = {
  refund: 0xe67e22,
  chargeback: 0xed4245,
  removed: REMOVED,
};

export function colourOf(event: EventName, facts: ReadFacts, options: MessageOptions): number {
  const { colour } = options;
  return colour !== undefined && Number.isInteger(colour) && colour >= 0 && colour <= 0xffffff
    ? colour
    : defaultColour(event, facts);
}

function defaultColour(event: EventName, facts: ReadFacts): number {
  return event === "product.user.purchaseRemoved" ? REMOVAL_COLOURS[facts.removal] : COLOURS[event];
}

/** Within Discord's limits, each part and all together. */
export function buildEmbed(
  parts: EmbedParts,
  facts: ReadFacts,
): { embed: DiscordEmbed; warnings: string[] } {
  const warnings: (typeof WARNINGS)[Warning][] = [];
  const cut = (part: Exclude<Warning, "link">, text: string, limit: number): string => {
    if (text.length > limit) warnings.push(WARNINGS[part]);
    return cutText(text, limit);
  };
  const url = linkOf(facts.url);
  if (url === null) warnings.push(WARNINGS.link);
  const embed: DiscordEmbed = {
    title: cut("title", parts.title, DISCORD_LIMITS.title),
    ...(url === null ? {} : { url }),
    color: parts.colour,
    ...(parts.fields.length === 0 ? {} : { fields: parts.fields.slice(0, DISCORD_LIMITS.fields) }),
    ...(facts.serviceName === ""
      ? {}
      : { footer: { text: cut("footer", facts.serviceName, DISCORD_LIMITS.footer) } }),
    ...(facts.timestamp === null ? {} : { timestamp: facts.timestamp }),
  };
  fitFields(embed);
  const room = Math.min(DISCORD_LIMITS.description, DISCORD_LIMITS.total - lengthOf(embed));
  const description = cut("text", parts.text, room);
  return { embed: description === "" ? embed : { ...embed, description }, warnings };
}

/** The fields alone can be more than a whole message takes; the last ones go then. */
function fitFields(embed: DiscordEmbed): void {
  while (embed.fields !== undefined && lengthOf(embed) > DISCORD_LIMITS.total) {
    embed.fields = embed.fields.slice(0, -1);
  }
}

/**
 * An embed's link, as Discord takes it; null where it would refuse the whole message: other schemes, and hosts without
 * a public name such as `localhost`.
 */
function linkOf(value: unknown): string | null {
  const url = webUrl(value);
  if (url === null || !/\.[a-z][a-z0-9-]*[a-z0-9]$/i.test(url.hostname)) return null;
  return url.href.length <= DISCORD_LIMITS.url ? url.href : null;
}
