import type { EventName } from "@markethook/protocol";
import type { MessageFault, MessageFaultCode } from "../message-fault.ts";
import { type Piece, parseTemplate, type Place } from "../template.ts";

/** A site that is written out, with something after it that cannot belong to its name. */
const WHOLE_SITE = /^\s*<?https?:\/\/[^\s/?#{}<>\\@()[\]]+[/?#]\S*$/i;

/** An owner's template for Discord, or why it cannot be one. */
export function parseDiscordTemplate(
  event: EventName,
  template: string,
): { pieces: Piece[] } | { fault: MessageFault } {
  return parseTemplate(event, template, placeOf);
}

/**
 * The value of a placeholder is escaped, which works in text. In an address, a mention and after a backslash,
 * escapes mean something else, and a buyer's name would choose where a link leads.
 */
function placeOf(before: string): Place | { fault: MessageFaultCode } {
  if (endsEscaping(before)) return { fault: "after_backslash" };
  const word = lastWord(before);
  const target = linkTarget(before, word);
  if (target !== null) {
    if (WHOLE_SITE.test(target)) return "address";
    return { fault: "site_unwritten" };
  }
  if (word.endsWith("@")) return { fault: "after_at" };
  if (word.lastIndexOf("<") > word.lastIndexOf(">")) {
    return { fault: "in_angles" };
  }
  return "text";
}

/** Whether what follows is escaped by the last backslash. */
function endsEscaping(text: string): boolean {
  let start = text.length;
  while (text[start - 1] === "\\") start -= 1;
  return (text.length - start) % 2 === 1;
}

/** The beginning of the address in which `before` and its last word end; null: they end in none. */
function linkTarget(before: string, word: string): string | null {
  const masked = before.lastIndexOf("](");
  if (masked >= 0 && !before.includes(")", masked)) return before.slice(masked + 2);
  const open = word.slice(word.lastIndexOf(">") + 1);
  const web = open.search(/\bhttps?:\//i);
  if (web >= 0) return open.slice(web);
  return /\w:\//.test(open) ? open : null;
}

function lastWord(text: string): string {
  const space = Math.max(text.lastIndexOf(" "), text.lastIndexOf("\n"), text.lastIndexOf("\t"));
  return text.slice(space + 1);
}
