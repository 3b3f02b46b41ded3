import type { ChatFormatName } from "@markethook/chat";
import { language } from "../words/locale.ts";
import { oneOf } from "../words/numbers.ts";
import type { ChatPlatform, PlatformWords } from "./chat-platform.ts";
import { discord } from "./discord/discord.ts";
import { slack } from "./slack/slack.ts";

/** By the name of the format. All that is known of one platform alone stands in its own folder. */
const CHAT_PLATFORMS: Readonly<Record<ChatFormatName, ChatPlatform>> = { discord, slack };

/** "Discord channel", for sentences about what a webhook can be. */
export function chats(): string {
  return oneOf(allChatWords().map(({ chat }) => chat));
}

export function allChatWords(): PlatformWords[] {
  return Object.values(CHAT_PLATFORMS).map(({ words }) => words[language()]);
}

/** The words of the platform of this name; undefined: the pages know none. */
export function chatWords(format: string): PlatformWords | undefined {
  return platformOf(format)?.words[language()];
}

export function chatPlatform(format: string): ChatPlatform {
  const platform = platformOf(format);
  if (platform === undefined) throw new Error(`The pages know no chat platform ${format}`);
  return platform;
}

function platformOf(format: string): ChatPlatform | undefined {
  const all: Readonly<Record<string, ChatPlatform>> = CHAT_PLATFORMS;
  return all[format];
}
