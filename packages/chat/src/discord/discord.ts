import type {
  ChatFormat,
  ChatMessage,
  ChatRequest,
  ChatRequestOptions,
  ChatTarget,
} from "../chat-format.ts";
import { messageLimits } from "./message-form.ts";
import { TEXT_RULES, WARNINGS } from "./embed.ts";
import { discordEditedSale, discordMessage } from "./message.ts";
import { readDiscordAnswer } from "./read-answer.ts";
import { partsOf, recogniseDiscord, SNOWFLAKE } from "./recognise.ts";

const ORIGIN = "https://discord.com";
const IDS = { pattern: SNOWFLAKE, digits: "17–20" };

/** Discord's webhooks: one channel each, posted to by anyone who knows the address. */
export const discord = {
  name: "discord" as const,
  label: "Discord",
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

/** `wait=true`: Discord answers with the message that it stored, so that it can be edited later. */
function discordRequest(
  target: ChatTarget,
  message: ChatMessage,
  how: ChatRequestOptions,
): ChatRequest {
  const { id, token } = partsOf(target.url);
  const query = new URLSearchParams();
  if (how.editMessageId === null) query.set("wait", "true");
  if (how.threadId !== null) query.set("thread_id", how.threadId);
  const asked = query.size === 0 ? "" : `?${query.toString()}`;
  const edited =
    how.editMessageId === null ? "" : `/messages/${encodeURIComponent(how.editMessageId)}`;
  const base = `${how.origin ?? ORIGIN}/api/v10/webhooks/${id}`;
  return {
    method: how.editMessageId === null ? "POST" : "PATCH",
    url: `${base}/${token}${edited}${asked}`,
    shownUrl: `${base}/…${edited}${asked}`,
    headers: [
      ["Content-Type", "application/json"],
      ["Accept", "application/json"],
      ["User-Agent", how.userAgent],
    ],
    body: message.body,
  };
}
