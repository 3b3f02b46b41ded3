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
