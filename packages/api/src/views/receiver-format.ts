import {
  type ChatFormat,
  chatFormatOf,
  type ChatTarget,
  unsupportedChatOf,
} from "@markethook/chat";
import { shownUrl as shownOf } from "@markethook/protocol";

/** The chat of this address, and its stored form. */
export interface KnownChat {
  format: ChatFormat;
  target: ChatTarget;
}

/** A chat's address to which nothing can be posted. */
interface UnusableChat {
  /** A sentence for the owner. */
  fault: string;
  code: "url_invalid" | "chat_unsupported";
  /** The platform's. */
  name: string;
}

/** Null: not an address of a known chat. */
export function chatOf(url: string): KnownChat | UnusableChat | null {
  const found = chatFormatOf(url.trim());
  if (found === null) return unsupportedOf(url.trim());
  const { format, recognised } = found;
  return "fault" in recognised
    ? { fault: recognised.fault, code: "url_invalid", name: format.name }
    : { format, target: recognised.target };
}

/** `json`, or the chat platform whose address it is. */
export function formatOf(url: string): string {
  const chat = chatOf(url);
  if (chat === null) return "json";
  return "fault" in chat ? chat.name : chat.format.name;
}

/** The facts of an unsaved URL that a page may show. */
export function shownUrl(url: string): string {
  const chat = chatOf(url);
  return chat !== null && "target" in chat ? chat.target.shownUrl : shownOf(url);
}

function unsupportedOf(url: string): UnusableChat | null {
  const chat = unsupportedChatOf(url);
  if (chat === null) return null;
  const fault = `This is an address of ${chat.label}, which refuses signed JSON requests.`;
  return { fault, code: "chat_unsupported", name: chat.name };
}
