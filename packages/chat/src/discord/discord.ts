import type { ChatFormat } from "../chat-format.ts";
import { messageLimits } from "./discord-message.ts";
import { TEXT_RULES, WARNINGS } from "./embed.ts";
import { discordEditedSale, discordMessage } from "./message.ts";
import { readDiscordAnswer } from "./read-answer.ts";
import { recogniseDiscord, SNOWFLAKE } from "./recognise.ts";
import { discordRequest } from "./request.ts";

const IDS = { pattern: SNOWFLAKE, digits: "17–20" };

/** Discord's webhooks: one channel each, posted to by anyone who knows the address. */
export const discord = {
  name: "discord" as const,
  label: "Discord",
  origin: "https://discord.com",
  // It allows 50 per address without authorisation, and shuts addresses out after 10,000 invalid requests.
  limits: {
    perSecond: 45,
    perAddress: null,
    invalid: { answers: 1000, windowMs: 10 * 60 * 1000 },
  },
  defaultEvents: ["product.user.purchase", "product.user.purchaseRemoved", "product.update"],
  optionRules: {
    titleLength: 256,
    textLength: 2000,
    threads: IDS,
    roles: IDS,
    colours: true,
    fields: true,
    parseTemplate: TEXT_RULES.parse,
  },
  defaultMessage: TEXT_RULES.standard,
  limitsUsed: messageLimits,
  warnings: Object.values(WARNINGS),
  userAgent: ({ url, version }) => `DiscordBot (${url}, ${version})`,
  recognise: recogniseDiscord,
  message: discordMessage,
  editedSale: discordEditedSale,
  request: discordRequest,
  readAnswer: readDiscordAnswer,
} satisfies ChatFormat;
