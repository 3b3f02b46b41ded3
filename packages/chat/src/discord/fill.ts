import type { EventName } from "@markethook/protocol";
import { cleanLine } from "../clean-text.ts";
import { placeholderValue } from "../placeholders.ts";
import type { ReadFacts } from "../event-facts.ts";
import { type MessageFault, messageFault } from "../message-fault.ts";
import { fillTemplate } from "../template.ts";
import { DISCORD_LIMITS } from "./discord-message.ts";
import { escapeInAddress, escapeMarkdown } from "./escape.ts";
import { parseDiscordTemplate } from "./template-rules.ts";

/** The longest part of a message, twice: no more of a text is shown, even without the spaces before it. */
const ENOUGH = 2 * DISCORD_LIMITS.description;

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
  const text = fillTemplate(parsed.pieces, ENOUGH, (name, place) => {
    const whole = placeholderValue(event, name, facts) ?? "";
    // Escaping makes it longer, never shorter.
    const value = whole.slice(0, ENOUGH).toWellFormed();
    return place === "address" ? escapeInAddress(value) : escapeMarkdown(value);
  });
  return { text: text.toWellFormed() };
}
