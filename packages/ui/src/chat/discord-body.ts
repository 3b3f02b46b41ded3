import type { DiscordMessage } from "@markethook/chat";

export function readDiscordBody(body: string): DiscordMessage {
  // Made by our own format a moment ago.
  return JSON.parse(body) as DiscordMessage;
}

/** `#rrggbb` */
export function cssColour(colour: number): string {
  return `#${colour.toString(16).padStart(6, "0")}`;
}
