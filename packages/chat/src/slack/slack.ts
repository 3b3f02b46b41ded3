import type { ChatFormat, ChatMessage, ChatRequestOptions, ChatTarget } from "../chat-format.ts";
import { slackMessage, TEXT_RULES, WARNINGS } from "./message.ts";
import { readSlackAnswer } from "./read-answer.ts";
import { recogniseSlack } from "./recognise.ts";
import { messageLimits } from "./message-form.ts";

const ORIGIN = "https://hooks.slack.com";

/** Slack's incoming webhooks: one channel each, posted to by anyone who knows the address. */
export const slack = {
  name: "slack" as const,
  label: "Slack",
  limits: {
    // It documents no limit of all webhooks together, and no ban of addresses.
    perSecond: 50,
    invalid: { answers: Infinity, windowMs: 0 },
    // One message a second, and more for a short time.
    perAddress: { requests: 5, windowMs: 5000 },
  },
  defaultEvents: ["product.user.purchase", "product.user.purchaseRemoved", "product.update"],
  optionRules: {
    titleLength: 150,
    textLength: 2000,
    threads: null,
    roles: null,
    colours: false,
    fields: true,
    parseTemplate: TEXT_RULES.parse,
  },
  defaultMessage: TEXT_RULES.standard,
  limitsUsed: messageLimits,
  warnings: Object.values(WARNINGS),
  userAgent: ({ url, version }) => `Markethook/${version} (+${url})`,
  recognise: recogniseSlack,
  message: slackMessage,
  editedSale: null,
  request(target: ChatTarget, { body }: ChatMessage, { userAgent, origin }: ChatRequestOptions) {
    return {
      method: "POST",
      url: target.url.replace(ORIGIN, origin ?? ORIGIN),
      shownUrl: target.shownUrl.replace(ORIGIN, origin ?? ORIGIN),
      headers: [
        ["Content-Type", "application/json"],
        ["User-Agent", userAgent],
      ],
      body,
    };
  },
  readAnswer: readSlackAnswer,
} satisfies ChatFormat;
