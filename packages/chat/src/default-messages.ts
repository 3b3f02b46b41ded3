import type { EventName } from "@markethook/protocol";
import type { DefaultMessage } from "./chat-format.ts";

/** Templates of the messages of an owner who changed nothing. Bold words are between `**`. */
const MESSAGES: Readonly<Record<EventName, DefaultMessage>> = {
  ping: {
    title: "Ping: {resource}",
    text: "This is a test. Messages about this resource will arrive here.",
  },
  "product.update": {
    title: "{resource} {version}",
    text: "**{update_title}**\n{update_text}",
  },
  "product.user.purchase": { title: "New sale: {resource}", text: "" },
  "product.user.purchaseRemoved": { title: "{removal}: {resource}", text: "" },
  "product.user.firstDownload": { title: "First download: {resource}", text: "" },
};

/** `bold`: the platform's own mark around bold words. */
export function defaultMessage(event: EventName, bold: string): DefaultMessage {
  const { title, text } = MESSAGES[event];
  return { title, text: text.replaceAll("**", bold) };
}
