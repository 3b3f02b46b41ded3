import type { Recognised } from "../chat-format.ts";
import { pastedUrl } from "../web-url.ts";

/** Where people copy a webhook's address from; all of them lead to the same webhook. */
const HOST = /^(www\.|ptb\.|canary\.)?discord(app)?\.com\.?$/;
const INVITE_HOST = /^(www\.)?discord\.gg\.?$/;
const NO_SCHEME = /^((www\.|ptb\.|canary\.)?discord(app)?\.com|discord\.gg)\//i;
const PATH =
  /^(?:\/api(?:\/v\d{1,3})?)?\/webhooks\/(\d{17,20})\/([\w-]{60,100})(?:\/(?:slack|github))?\/?$/;

/** Of users, channels, roles, messages: a 64-bit number in digits. */
export const SNOWFLAKE = /^\d{17,20}$/;

const HOW =
  "In Discord, open Server settings, Integrations, Webhooks, choose the webhook and press Copy Webhook URL.";

/** Null: not Discord's. Other hosts that look like it are none of ours, and get a signed webhook like any receiver. */
export function recogniseDiscord(text: string): Recognised | null {
  const url = pastedUrl(text, NO_SCHEME);
  if (url === null) return null;
  if (INVITE_HOST.test(url.hostname)) return { fault: invite() };
  if (!HOST.test(url.hostname)) return null;
  const [, id, token] = PATH.exec(url.pathname) ?? [];
  if (id === undefined || token === undefined) return { fault: faultOf(url.pathname) };
  const threadId = url.searchParams.get("thread_id");
  if (threadId !== null && !SNOWFLAKE.test(threadId)) {
    return { fault: "The thread_id in this address is not the number of a Discord thread." };
  }
  return {
    target: {
      url: `https://discord.com/api/webhooks/${id}/${token}`,
      shownUrl: `https://discord.com/api/webhooks/${id}/…`,
      threadId,
    },
  };
}

function invite(): string {
  return `This is an invitation to a Discord server, not a webhook's address. ${HOW}`;
}

function faultOf(path: string): string {
  if (path.startsWith("/invite/")) return invite();
  if (path.startsWith("/channels/")) {
    return `This is a link to a Discord channel or message, not a webhook's address. ${HOW}`;
  }
  if (/\/webhooks\/\d+\/?$/.test(path)) {
    return `The last part of this Discord address, the token, is missing. ${HOW}`;
  }
  if (/\/webhooks\//.test(path)) {
    return `This Discord address is not complete: its form is https://discord.com/api/webhooks/number/token. ${HOW}`;
  }
  return `This is an address of Discord, but not of a Discord webhook. ${HOW}`;
}

/** The two parts of an address in its canonical form. */
export function partsOf(canonicalUrl: string): { id: string; token: string } {
  const [, id, token] = PATH.exec(new URL(canonicalUrl).pathname) ?? [];
  if (id === undefined || token === undefined) throw new Error("Not a Discord webhook's address");
  return { id, token };
}
