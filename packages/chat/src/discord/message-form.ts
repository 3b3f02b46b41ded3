import type { ChatMessage, LimitUse } from "../chat-format.ts";

/** The members of a message that ours have, in Discord's words. */
export interface DiscordMessage {
  /** Only ever the mention of a role that the owner chose. */
  content?: string;
  embeds: [DiscordEmbed];
  allowed_mentions: { parse: []; roles?: [string] };
}

export interface DiscordEmbed {
  title?: string;
  url?: string;
  description?: string;
  /** 0 to 0xffffff. */
  color: number;
  fields?: DiscordField[];
  footer?: { text: string };
  /** RFC 3339. */
  timestamp?: string;
}

export interface DiscordField {
  name: string;
  value: string;
  inline: boolean;
}

/** Discord's, in characters; counted here in UTF-16 units, which are never fewer. */
export const DISCORD_LIMITS = {
  title: 256,
  description: 4096,
  fields: 25,
  fieldValue: 1024,
  footer: 2048,
  /** Of all texts of all embeds together. */
  total: 6000,
  url: 2048,
} as const;

export function messageLimits(message: ChatMessage): LimitUse[] {
  // Made by this package.
  const { embeds } = JSON.parse(message.body) as DiscordMessage;
  const [embed] = embeds;
  return [
    { part: "Title", used: embed.title?.length ?? 0, limit: DISCORD_LIMITS.title },
    { part: "Text", used: embed.description?.length ?? 0, limit: DISCORD_LIMITS.description },
    { part: "Fields", used: embed.fields?.length ?? 0, limit: DISCORD_LIMITS.fields },
    { part: "Whole message", used: lengthOf(embed), limit: DISCORD_LIMITS.total },
  ];
}

/** The length that counts towards the total. */
export function lengthOf(embed: DiscordMessage["embeds"][0]): number {
  const fields = embed.fields?.map(({ name, value }) => name.length + value.length) ?? [];
  return [
    embed.title?.length ?? 0,
    embed.description?.length ?? 0,
    embed.footer?.text.length ?? 0,
    ...fields,
  ].reduce((sum, length) => sum + length, 0);
}
