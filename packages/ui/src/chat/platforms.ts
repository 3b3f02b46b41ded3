import type { ChatFormatName } from "@markethook/chat";
import { type ComponentType, lazy } from "react";
import { oneOf } from "../words/numbers.ts";
import type { Words } from "../words/en/index.ts";
import { words } from "../words/first-words.ts";
import type { PreviewProps } from "./preview.ts";

type PlatformWords = Words["chatPlatforms"][ChatFormatName];

interface ChatPlatform {
  /** A message as the platform shows it; its code is fetched when a preview is shown. */
  Preview: ComponentType<PreviewProps>;
}

/** By the name of the format. All that is known of one platform alone stands in its own folder, its texts in `words`. */
const CHAT_PLATFORMS: Readonly<Record<ChatFormatName, ChatPlatform>> = {
  discord: {
    Preview: lazy(async () => {
      const { DiscordPreview } = await import("./discord/discord-preview.tsx");
      return { default: DiscordPreview };
    }),
  },
};

/** "Discord channel", for sentences about what a webhook can be. */
export function channels(): string {
  return oneOf(Object.values(words.chatPlatforms).map(({ channel }) => channel));
}

/** What the pages say about a platform; undefined: they know none of this name. */
export function chatWords(format: string): PlatformWords | undefined {
  const all: Readonly<Record<string, PlatformWords>> = words.chatPlatforms;
  return all[format];
}

export function chatPlatform(format: string): ChatPlatform {
  const all: Readonly<Record<string, ChatPlatform>> = CHAT_PLATFORMS;
  const platform = all[format];
  if (platform === undefined) throw new Error(`The pages know no chat platform ${format}`);
  return platform;
}
