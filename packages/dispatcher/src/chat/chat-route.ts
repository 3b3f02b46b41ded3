import {
  chatFormats,
  type ChatFormat,
  type ChatOptions,
  type ChatOrigins,
  type ChatTarget,
  readChatOptions,
} from "@markethook/chat";
import type { SendableChat, SendableWebhook } from "@markethook/store";

/** The parsed webhook of a chat. */
export interface ChatRoute {
  format: ChatFormat;
  target: ChatTarget;
  options: ChatOptions;
  origin: string | null;
  chat: SendableChat;
}

/** Returns the route of a stored webhook. Null: it is no chat's, or cannot be used. */
export type ChatRoutes = (webhook: SendableWebhook) => ChatRoute | null;

export function createChatRoutes(origins: ChatOrigins): ChatRoutes {
  const routes = new WeakMap<SendableWebhook, ChatRoute | null>();
  return (webhook) => {
    if (webhook.chat === null) return null;
    let route = routes.get(webhook);
    if (route === undefined) {
      route = readRoute(webhook, webhook.chat, origins);
      routes.set(webhook, route);
    }
    return route;
  };
}

function readRoute(
  { url, format: name }: SendableWebhook,
  chat: SendableChat,
  origins: ChatOrigins,
): ChatRoute | null {
  if (name === "json") return null;
  const format = chatFormats.find((one) => one.name === name);
  const recognised = format?.recognise(url) ?? null;
  // The queue asks for routes between two turns, so a damaged text must not throw here.
  const options = readChatOptions(chat.options);
  if (format === undefined || recognised === null || "fault" in recognised || options === null) {
    return null;
  }
  return { format, target: recognised.target, options, origin: origins[name] ?? null, chat };
}
