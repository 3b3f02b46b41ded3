import type { ChatFormat } from "../chat-format.ts";
import { discordEditedSale, discordMessage } from "./message.ts";
import { readDiscordAnswer } from "./read-answer.ts";
import { recogniseDiscord, SNOWFLAKE } from "./recognise.ts";
import { discordRequest } from "./request.ts";
import { parseDiscordTemplate } from "./template-rules.ts";

/** Discord's webhooks: one channel each, posted to by anyone who knows the address. */
export const discord: ChatFormat = {
  name: "discord",
  label: "Discord",
  defaultEvents: ["product.user.purchase", "product.user.purchaseRemoved", "product.update"],
  optionRules: {
    titleLength: 256,
    textLength: 2000,
    id: SNOWFLAKE,
    parseTemplate: parseDiscordTemplate,
  },
  recognise: recogniseDiscord,
  message: discordMessage,
  editedSale: discordEditedSale,
  request: discordRequest,
  readAnswer: readDiscordAnswer,
};
