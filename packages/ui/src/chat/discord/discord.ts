import { lazy } from "react";
import type { ChatPlatform } from "../chat-platform.ts";
import { de } from "./words-de.ts";
import { en } from "./words-en.ts";

export const discord: ChatPlatform = {
  words: { en, de },
  Preview: lazy(async () => {
    const { DiscordPreview } = await import("./discord-preview.tsx");
    return { default: DiscordPreview };
  }),
};
