import type { PlatformWords } from "../chat-platform.ts";

export const en: PlatformWords = {
  chat: "Discord channel",
  about:
    "Posts a message for each event. You paste a webhook URL that Discord makes for the channel, and you are done.",
  find: "For a Discord channel: in Discord, open Server settings, Integrations, Webhooks, and make a webhook for the channel. Then press Copy Webhook URL, and paste it here.",
  text: "Discord's marks such as **bold** work. A line whose placeholders are all empty is left out.",
  role: "Its number: in Discord with developer mode on, Server settings, Roles, Copy Role ID. Nobody is mentioned without it.",
  preview: "With sample data. Name and picture are those that the webhook has in Discord.",
  said: {},
  disabled: {
    chat_deleted:
      "The Discord webhook was deleted. Make a new one in Discord, enter its URL under Settings, and resume this webhook.",
    chat_token:
      "Discord no longer knows the last part of this webhook's URL. Copy the URL in Discord again, enter it under Settings, and resume this webhook.",
    chat_forbidden:
      "Discord does not let this webhook post: its channel or server has been closed to it. Make a webhook in another channel, enter its URL under Settings, and resume this webhook.",
  },
};
