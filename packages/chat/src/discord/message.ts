import { EVENT_SUBJECTS, type EventName } from "@markethook/protocol/event-names";
import type { ChatMessage, ChatOptions, MessageOptions } from "../chat-format.ts";
import { type EventFacts, readFacts, type ReadFacts, type SaleFacts } from "../event-facts.ts";
import { REMOVAL_WORDS } from "../placeholders.ts";
import {
  DISCORD_LIMITS,
  type DiscordEmbed,
  type DiscordField,
  type DiscordMessage,
} from "./discord-message.ts";
import { buildEmbed, colourOf, writeTexts } from "./embed.ts";
import { SNOWFLAKE } from "./recognise.ts";
import { cutText } from "../clean-text.ts";
import { escapeMarkdown } from "./escape.ts";

export function discordMessage(event: EventFacts, options: ChatOptions): ChatMessage {
  const chosen = options.messages[event.name] ?? {};
  const facts = readFacts(event);
  const { title, text, fault } = writeTexts(event.name, facts, chosen);
  const { embed, warnings } = buildEmbed(
    {
      title,
      text,
      colour: colourOf(event.name, facts, chosen),
      fields: chosen.fields === false ? [] : fieldsOf(event.name, facts),
    },
    facts,
  );
  return {
    body: JSON.stringify({ ...mention(chosen), ...withEmbed(embed, chosen) }),
    colour: embed.color,
    warnings,
    fault,
  };
}

/** The sale's message with the facts of the sale, and with the title and colour of its removal. */
export function discordEditedSale(
  sale: SaleFacts,
  removal: EventFacts,
  options: ChatOptions,
): ChatMessage {
  const saleOptions = options.messages["product.user.purchase"] ?? {};
  const removalOptions = options.messages["product.user.purchaseRemoved"] ?? {};
  const sold = readFacts(sale.facts);
  const removed = withSale(readFacts(removal), sold);
  const heading = writeTexts("product.user.purchaseRemoved", removed, removalOptions);
  const body = writeTexts("product.user.purchase", sold, saleOptions);
  const when = removed.time === "" ? "yes" : removed.time;
  const { embed, warnings } = buildEmbed(
    {
      title: heading.title,
      text: [body.text, heading.text].filter((text) => text !== "").join("\n"),
      colour: colourOf("product.user.purchaseRemoved", removed, removalOptions),
      fields: [
        ...(saleOptions.fields === false ? [] : fieldsOf("product.user.purchase", sold)),
        ...present([[REMOVAL_WORDS[removed.removal], when], reasonOf(removed)]),
      ],
    },
    sold,
  );
  return {
    body: JSON.stringify(withEmbed(embed, {})),
    colour: embed.color,
    warnings,
    fault: heading.fault ?? body.fault,
  };
}

/** A refund is often reported without what the sale told. */
function withSale(removed: ReadFacts, sold: ReadFacts): ReadFacts {
  return {
    ...removed,
    buyer: removed.buyer || sold.buyer,
    order: removed.order || sold.order,
    ...(removed.amount === "" ? { amount: sold.amount, currency: sold.currency } : {}),
  };
}

function roleOf({ mentionRoleId }: MessageOptions): string | null {
  return mentionRoleId !== undefined && SNOWFLAKE.test(mentionRoleId) ? mentionRoleId : null;
}

function mention(options: MessageOptions): Pick<DiscordMessage, "content"> {
  const role = roleOf(options);
  return role === null ? {} : { content: `<@&${role}>` };
}

/** Whatever stands in the embed, nobody is pinged but the role that the owner chose. */
function withEmbed(embed: DiscordEmbed, options: MessageOptions): DiscordMessage {
  const role = roleOf(options);
  return {
    embeds: [embed],
    allowed_mentions: { parse: [], ...(role === null ? {} : { roles: [role] }) },
  };
}

/** What is known of the event, one fact each; nothing that is not known. */
function fieldsOf(event: EventName, facts: ReadFacts): DiscordField[] {
  switch (EVENT_SUBJECTS[event]) {
    case "webhook":
      return [];
    case "update":
      return present([
        ["Version", versions(facts)],
        ["Branch", facts.branch],
        ["Size", facts.size],
      ]);
    case "user":
      return present([
        facts.buyer === "" ? ["User", facts.userId] : ["Buyer", facts.buyer],
        ["Amount", [facts.amount, facts.currency].filter((part) => part !== "").join(" ")],
        ["Order", facts.order],
        ...(event === "product.user.purchaseRemoved" ? [reasonOf(facts)] : []),
      ]);
  }
}

function reasonOf(facts: ReadFacts): [name: string, value: string] {
  // A single word repeats the title.
  const known = facts.removal !== "removed" && /^[a-z-]+$/i.test(facts.reason);
  return ["Reason", known ? "" : facts.reason];
}

/** Values are cleaned and not escaped. */
function present(fields: readonly (readonly [name: string, value: string])[]) {
  return fields
    .filter(([, value]) => value !== "")
    .map(([name, value]): DiscordField => ({
      name,
      value: cutText(escapeMarkdown(value), DISCORD_LIMITS.fieldValue),
      inline: true,
    }));
}

function versions({ previousVersion, version }: ReadFacts): string {
  return previousVersion === "" || previousVersion === version
    ? version
    : `${previousVersion} → ${version}`;
}
