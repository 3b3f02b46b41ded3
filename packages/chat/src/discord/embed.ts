import type { EventName } from "@markethook/protocol";
import type { MessageOptions } from "../chat-format.ts";
import { cleanLine, cutText } from "../clean-text.ts";
import type { ReadFacts } from "../event-facts.ts";
import { type MessageFault, messageFault } from "../message-fault.ts";
import { defaultColour, defaultMessage } from "./default-messages.ts";
import {
  DISCORD_LIMITS,
  DISCORD_LIMITS as LIMITS,
  type DiscordEmbed,
  type DiscordField,
  lengthOf,
} from "./discord-message.ts";
import { placeholderValue } from "../placeholders.ts";
import { fillTemplate } from "../template.ts";
import { escapeInAddress, escapeMarkdown } from "./escape.ts";
import { parseDiscordTemplate } from "./template-rules.ts";

export interface EmbedParts {
  title: string;
  text: string;
  colour: number;
  fields: readonly DiscordField[];
}

export interface WrittenText {
  title: string;
  text: string;
  fault: MessageFault | null;
}

/** All that the warnings about a message can say. */
export const WARNINGS = {
  link: "Discord takes no link to this resource's address.",
  title: "The title is longer than Discord takes and was cut.",
  footer: "The footer is longer than Discord takes and was cut.",
  text: "The text is longer than Discord takes and was cut.",
} as const;
type Warning = keyof typeof WARNINGS;

/** An event's title and text by the owner's templates, or by the default ones where those cannot be used. */
export function writeTexts(
  event: EventName,
  facts: ReadFacts,
  options: MessageOptions,
): WrittenText {
  const standard = defaultMessage(event);
  const own = both(
    fillTitle(event, options.title ?? standard.title, facts),
    fillText(event, options.text ?? standard.text, facts),
  );
  if (!("fault" in own)) return { ...own, fault: null };
  const instead = both(
    fillTitle(event, standard.title, facts),
    fillText(event, standard.text, facts),
  );
  return { ...("fault" in instead ? { title: event, text: "" } : instead), fault: own.fault };
}

function both(
  title: Filled,
  text: Filled,
): { title: string; text: string } | { fault: MessageFault } {
  if ("fault" in title) return title;
  return "fault" in text ? text : { title: title.text, text: text.text };
}

export function colourOf(event: EventName, facts: ReadFacts, options: MessageOptions): number {
  const { colour } = options;
  return colour !== undefined && Number.isInteger(colour) && colour >= 0 && colour <= 0xffffff
    ? colour
    : defaultColour(event, facts);
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
    title: cut("title", parts.title, LIMITS.title),
    ...(url === null ? {} : { url }),
    color: parts.colour,
    ...(parts.fields.length === 0 ? {} : { fields: parts.fields.slice(0, LIMITS.fields) }),
    ...(facts.serviceName === ""
      ? {}
      : { footer: { text: cut("footer", facts.serviceName, LIMITS.footer) } }),
    ...(facts.timestamp === null ? {} : { timestamp: facts.timestamp }),
  };
  fitFields(embed);
  const room = Math.min(LIMITS.description, LIMITS.total - lengthOf(embed));
  const description = cut("text", parts.text, room);
  return { embed: description === "" ? embed : { ...embed, description }, warnings };
}

/** The fields alone can be more than a whole message takes; the last ones go then. */
function fitFields(embed: DiscordEmbed): void {
  while (embed.fields !== undefined && lengthOf(embed) > LIMITS.total) {
    embed.fields = embed.fields.slice(0, -1);
  }
}

/**
 * An embed's link, as Discord takes it; null where it would refuse the whole message: other schemes, and hosts without
 * a public name such as `localhost`.
 */
function linkOf(value: unknown): string | null {
  const url = typeof value === "string" ? URL.parse(value) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  if (url.username !== "" || url.password !== "") return null;
  if (!/\.[a-z][a-z0-9-]*[a-z0-9]$/i.test(url.hostname)) return null;
  return url.href.length <= DISCORD_LIMITS.url ? url.href : null;
}

/** Twice the longest part of a message. No more of a text is ever shown, even if spaces before it are removed. */
const ENOUGH = 2 * DISCORD_LIMITS.description;

type Filled = { text: string } | { fault: MessageFault };

function fillTitle(event: EventName, template: string, facts: ReadFacts): Filled {
  const filled = fillText(event, template.replace(/\s+/g, " "), facts);
  if ("fault" in filled) return filled;
  const text = filled.text.replace(/\s+/g, " ");
  // The text consists of marks or invisible characters only.
  return cleanLine(text) === "" ? { fault: messageFault("filled_empty") } : { text };
}

export function fillText(event: EventName, template: string, facts: ReadFacts): Filled {
  const parsed = parseDiscordTemplate(event, template);
  if ("fault" in parsed) return parsed;
  const text = fillTemplate(parsed.pieces, ENOUGH, (name, place) => {
    const whole = placeholderValue(event, name, facts) ?? "";
    // Escaping makes it longer, never shorter.
    const value = whole.slice(0, ENOUGH).toWellFormed();
    return place === "address" ? escapeInAddress(value) : escapeMarkdown(value);
  });
  return { text: text.toWellFormed() };
}
