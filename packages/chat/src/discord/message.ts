import type { ChatMessage, ChatOptions, MessageOptions } from "../chat-format.ts";
import { type EventFacts, readFacts, type ReadFacts, type SaleFacts } from "../event-facts.ts";
import { type KnownFact, knownFacts, reasonFact } from "../known-facts.ts";
import { REMOVAL_WORDS } from "../placeholders.ts";
import { writeTexts } from "../written-texts.ts";
import {
  DISCORD_LIMITS,
  type DiscordEmbed,
  type DiscordField,
  type DiscordMessage,
} from "./message-form.ts";
import { buildEmbed, colourOf, TEXT_RULES } from "./embed.ts";
import { SNOWFLAKE } from "./recognise.ts";
import { cutText } from "../clean-text.ts";
import { escapeMarkdown } from "./escape.ts";

export function discordMessage(event: EventFacts, options: ChatOptions): ChatMessage {
  const chosen = options.messages[event.name] ?? {};
  const facts = readFacts(event);
  const { title, text, fault } = writeTexts(event.name, facts, chosen, TEXT_RULES);
  const { embed, warnings } = buildEmbed(
    {
      title,
      text,
      colour: colourOf(event.name, facts, chosen),
      fields: chosen.fields === false ? [] : fieldsOf(knownFacts(event.name, facts)),
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
  const heading = writeTexts("product.user.purchaseRemoved", removed, removalOptions, TEXT_RULES);
  const body = writeTexts("product.user.purchase", sold, saleOptions, TEXT_RULES);
  const when = removed.time === "" ? "yes" : removed.time;
  const { embed, warnings } = buildEmbed(
    {
      title: heading.title,
      text: [body.text, heading.text].filter((text) => text !== "").join("\n"),
      colour: colourOf("product.user.purchaseRemoved", removed, removalOptions),
      fields: fieldsOf([
        ...(saleOptions.fields === false ? [] : knownFacts("product.user.purchase", sold)),
        [REMOVAL_WORDS[removed.removal], when],
        reasonFact(removed),
      ]),
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

/** Nothing in the embed can mention anybody. Only the role that the owner chose is mentioned. */
function withEmbed(embed: DiscordEmbed, options: MessageOptions): DiscordMessage {
  const role = roleOf(options);
  return {
    embeds: [embed],
    allowed_mentions: { parse: [], ...(role === null ? {} : { roles: [role] }) },
  };
}

function fieldsOf(facts: readonly KnownFact[]): DiscordField[] {
  return facts
    .filter(([, value]) => value !== "")
    .map(([name, value]) => ({
      name,
      value: cutText(escapeMarkdown(value), DISCORD_LIMITS.fieldValue),
      inline: true,
    }));
}
