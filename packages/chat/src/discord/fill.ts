import type { EventName } from "@markethook/protocol";
import { cleanLine } from "../clean-text.ts";
import { placeholderValue } from "../placeholders.ts";
import type { ReadFacts } from "../event-facts.ts";
import { type MessageFault, messageFault } from "../message-fault.ts";
import { fillTemplate } from "../template.ts";
import { escapeInAddress, escapeMarkdown } from "./escape.ts";
import { parseDiscordTemplate } from "./template-rules.ts";

export type Filled = { text: string } | { fault: MessageFault };

export function fillTitle(event: EventName, template: string, facts: ReadFacts): Filled {
  const filled = fillText(event, template.replace(/\s+/g, " "), facts);
  if ("fault" in filled) return filled;
  const text = filled.text.replace(/\s+/g, " ");
  // Only marks, or only what is not seen.
  return cleanLine(text) === "" ? { fault: messageFault("filled_empty") } : { text };
}

export function fillText(event: EventName, template: string, facts: ReadFacts): Filled {
  const parsed = parseDiscordTemplate(event, template);
  if ("fault" in parsed) return parsed;
  const text = fillTemplate(parsed.pieces, (name, place) => {
    const value = placeholderValue(event, name, facts) ?? "";
    return place === "address" ? escapeInAddress(value) : escapeMarkdown(value);
  });
  return { text: text.toWellFormed() };
}
