import type { ChatFormat, ChatFormatName, Recognised } from "./chat-format.ts";
import { discord } from "./discord/discord.ts";

/** Every chat platform that webhooks can speak to. */
export const chatFormats: readonly ChatFormat[] = [discord];

/** Null: an address of none of them. */
export function chatFormatOf(url: string): { format: ChatFormat; recognised: Recognised } | null {
  for (const format of chatFormats) {
    const recognised = format.recognise(url);
    if (recognised !== null) return { format, recognised };
  }
  return null;
}

export function chatFormat(name: ChatFormatName): ChatFormat {
  const format = chatFormats.find((one) => one.name === name);
  if (format === undefined) throw new Error(`There is no chat format ${name}`);
  return format;
}
