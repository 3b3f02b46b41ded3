import type { ChatFormat, Recognised } from "./chat-format.ts";
import { discord } from "./discord/discord.ts";
import { slack } from "./slack/slack.ts";

/** Every chat platform that webhooks can speak to. The pages do not compile until they know each of them. */
const FORMATS = [discord, slack] as const;

export const chatFormats: readonly ChatFormat[] = FORMATS;
export type ChatFormatName = (typeof FORMATS)[number]["name"];

/** The parts of their messages, for previews. */
export type { DiscordEmbed, DiscordField, DiscordMessage } from "./discord/message-form.ts";
export type { SlackBlock, SlackMessage } from "./slack/message-form.ts";

/** Null: an address of none of them. */
export function chatFormatOf(url: string): { format: ChatFormat; recognised: Recognised } | null {
  for (const format of chatFormats) {
    const recognised = format.recognise(url);
    if (recognised !== null) return { format, recognised };
  }
  return null;
}

/** @throws Error for a name that no platform has. */
export function chatFormat(name: string): ChatFormat {
  const format = chatFormats.find((one) => one.name === name);
  if (format === undefined) throw new Error(`There is no chat format ${name}`);
  return format;
}

/** Platforms with known addresses for which no messages can be made. */
const UNSUPPORTED: readonly { name: string; label: string; host: RegExp; path: RegExp }[] = [
  { name: "teams", label: "Microsoft Teams", host: /\.webhook\.office\.com$/, path: /./ },
];

/** Null: an address of none of them. */
export function unsupportedChatOf(url: string): { name: string; label: string } | null {
  const { hostname, pathname } = URL.parse(url) ?? { hostname: "", pathname: "" };
  return UNSUPPORTED.find(({ host, path }) => host.test(hostname) && path.test(pathname)) ?? null;
}

/** Where the APIs of platforms are reached instead of their own origins, by their names, without a slash at the end. */
export type ChatOrigins = Readonly<Record<string, string>>;

/** Returns the URL to dial for an address: itself, or the origin that stands for its platform's. */
export function dialledUrl(url: string, origins: ChatOrigins): string {
  const found = chatFormatOf(url);
  return (found && origins[found.format.name]) ?? url;
}
