import type { ComponentType } from "react";
import type { Language } from "../words/locale.ts";

/** One chat platform for the pages. The options that it offers are in its `ChatFormat`. */
export interface ChatPlatform {
  words: Readonly<Record<Language, PlatformWords>>;
  /** Fetches the code that shows a message as the platform does. */
  loadPreview(): Promise<ComponentType<PreviewProps>>;
}

export interface PlatformWords {
  /** The place where messages appear, with the platform's name, as it follows "a". */
  chat: string;
  /** On the card that an owner without webhooks sees. */
  about: string;
  /** Above the field for a new webhook's URL. */
  find: string;
  /** Below the fields of a message. */
  text: string;
  /** Below the number of a role to mention, on a platform that has roles. */
  role?: string;
  preview: string;
  /** Translations, by the English text of its `ChatFormat`: warnings about a message, and parts that have a limit. */
  said: Readonly<Record<string, string>>;
  /** Explanations, by the reason why a webhook was disabled. */
  disabled: Readonly<Record<`chat_${"deleted" | "token" | "forbidden"}`, string>>;
}

export interface PreviewProps {
  /** `ChatMessage.body` */
  body: string;
  /** The name of the sender. */
  name: string;
  look: "light" | "dark";
  edited: boolean;
}

/** `#rrggbb` */
export function cssColour(colour: number): string {
  return `#${colour.toString(16).padStart(6, "0")}`;
}
