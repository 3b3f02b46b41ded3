import { lazy } from "react";
import type { ChatPlatform } from "../chat-platform.ts";
import { de, en } from "./words.ts";

export const discord: ChatPlatform = {
  words: { en, de },
  Preview: lazy(async () => {
    const { DiscordPreview } = await import("./discord-preview.tsx");
    return { default: DiscordPreview };
  }),
};
