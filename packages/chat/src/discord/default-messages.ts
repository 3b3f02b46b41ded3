import type { EventName } from "@markethook/protocol";
import type { DefaultMessage } from "../chat-format.ts";
import type { ReadFacts, Removal } from "../event-facts.ts";

/** A removal's own colour replaces that of its message: see `defaultColour`. */
const MESSAGES: Readonly<Record<EventName, DefaultMessage & { colour: number }>> = {
  ping: {
    title: "Ping: {resource}",
    text: "This is a test. Messages about this resource will arrive here.",
    colour: 0x99aab5,
  },
  "product.update": {
    title: "{resource} {version}",
    text: "**{update_title}**\n{update_text}",
    colour: 0x5865f2,
  },
  "product.user.purchase": { title: "New sale: {resource}", text: "", colour: 0x2ecc71 },
  "product.user.purchaseRemoved": { title: "{removal}: {resource}", text: "", colour: 0x95a5a6 },
  "product.user.firstDownload": {
    title: "First download: {resource}",
    text: "",
    colour: 0x1abc9c,
  },
};

const REMOVAL_COLOURS: Readonly<Record<Removal, number>> = {
  refund: 0xe67e22,
  chargeback: 0xed4245,
  removed: MESSAGES["product.user.purchaseRemoved"].colour,
};

export function defaultMessage(event: EventName): DefaultMessage {
  const { title, text } = MESSAGES[event];
  return { title, text };
}

export function defaultColour(event: EventName, facts: ReadFacts): number {
  return event === "product.user.purchaseRemoved"
    ? REMOVAL_COLOURS[facts.removal]
    : MESSAGES[event].colour;
}
