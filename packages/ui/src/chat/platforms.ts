import { type ComponentType, lazy } from "react";
import type { ChatWords, PreviewProps } from "./platform.ts";
import { discordWords } from "./discord/words.ts";

interface ChatPlatform {
  words: ChatWords;
  /** A message as the platform shows it; its code is fetched when a preview is shown. */
  Preview: ComponentType<PreviewProps>;
}

/** By the name of the format. All that is known of one platform alone stands in its own folder. */
export const CHAT_PLATFORMS: Readonly<Record<string, ChatPlatform>> = {
  discord: {
    words: discordWords,
    Preview: lazy(async () => {
      const { DiscordPreview } = await import("./discord/discord-preview.tsx");
      return { default: DiscordPreview };
    }),
  },
};

/** "Discord channel", for sentences about what a webhook can be. */
export const CHANNELS = Object.values(CHAT_PLATFORMS)
  .map(({ words }) => words.channel)
  .join(" or ");

export function chatPlatform(format: string): ChatPlatform {
  const platform = CHAT_PLATFORMS[format];
  if (platform === undefined) throw new Error(`The pages know no chat platform ${format}`);
  return platform;
}
