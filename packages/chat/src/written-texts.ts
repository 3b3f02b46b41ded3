import type { EventName } from "@markethook/protocol";
import type { ChatOptionRules, DefaultMessage, MessageOptions } from "./chat-format.ts";
import { cleanLine } from "./clean-text.ts";
import type { ReadFacts } from "./event-facts.ts";
import { type MessageFault, messageFault } from "./message-fault.ts";
import { placeholderValue } from "./placeholders.ts";
import { fillTemplate, type Place } from "./template.ts";

/** How a platform's titles and texts are made of templates. */
export interface TextRules {
  /** The templates where an owner has none. */
  standard(event: EventName): DefaultMessage;
  parse: ChatOptionRules["parseTemplate"];
  /** No more characters of a text are ever shown, even if spaces before them are removed. */
  enough: number;
  /** Escapes a cleaned value for its place. */
  escape(value: string, place: Place): string;
}

interface WrittenTexts {
  title: string;
  text: string;
  /** Why the owner's own could not be used. */
  fault: MessageFault | null;
}

/** An event's title and text by the owner's templates, or by the default ones where those cannot be used. */
export function writeTexts(
  event: EventName,
  facts: ReadFacts,
  options: MessageOptions,
  rules: TextRules,
): WrittenTexts {
  const standard = rules.standard(event);
  const own = both(
    fillTitle(event, options.title ?? standard.title, facts, rules),
    fillText(event, options.text ?? standard.text, facts, rules),
  );
  if (!("fault" in own)) return { ...own, fault: null };
  const instead = both(
    fillTitle(event, standard.title, facts, rules),
    fillText(event, standard.text, facts, rules),
  );
  return { ...("fault" in instead ? { title: event, text: "" } : instead), fault: own.fault };
}

type Filled = { text: string } | { fault: MessageFault };

function both(
  title: Filled,
  text: Filled,
): { title: string; text: string } | { fault: MessageFault } {
  if ("fault" in title) return title;
  return "fault" in text ? text : { title: title.text, text: text.text };
}

function fillTitle(event: EventName, template: string, facts: ReadFacts, rules: TextRules): Filled {
  const filled = fillText(event, template.replace(/\s+/g, " "), facts, rules);
  if ("fault" in filled) return filled;
  const text = filled.text.replace(/\s+/g, " ");
  // The text consists of marks or invisible characters only.
  return cleanLine(text) === "" ? { fault: messageFault("filled_empty") } : { text };
}

export function fillText(
  event: EventName,
  template: string,
  facts: ReadFacts,
  rules: TextRules,
): Filled {
  const parsed = rules.parse(event, template);
  if ("fault" in parsed) return parsed;
  const text = fillTemplate(parsed.pieces, rules.enough, (name, place) => {
    const whole = placeholderValue(event, name, facts) ?? "";
    // Escaping makes it longer, never shorter.
    return rules.escape(whole.slice(0, rules.enough).toWellFormed(), place);
  });
  return { text: text.toWellFormed() };
}
