import type { ChatMessage, ChatRequest, ChatRequestOptions, ChatTarget } from "../chat-format.ts";
import { partsOf } from "./recognise.ts";

const ORIGIN = "https://discord.com";

/** `wait=true`: Discord answers with the message that it stored, so that it can be edited later. */
export function discordRequest(
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
