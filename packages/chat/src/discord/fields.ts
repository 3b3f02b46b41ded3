import { EVENT_SUBJECTS, type EventName } from "@markethook/protocol/event-names";
import { cutText } from "../clean-text.ts";
import type { ReadFacts } from "../event-facts.ts";
import { DISCORD_LIMITS, type DiscordField } from "./discord-message.ts";
import { escapeMarkdown } from "./escape.ts";

/** What is known of the event, one fact each; nothing that is not known. */
export function fieldsOf(event: EventName, facts: ReadFacts): DiscordField[] {
  switch (EVENT_SUBJECTS[event]) {
    case "webhook":
      return [];
    case "update":
      return present([
        ["Version", versions(facts)],
        ["Branch", facts.branch],
        ["Size", facts.size],
      ]);
    case "user":
      return present([
        facts.buyer === "" ? ["User", facts.userId] : ["Buyer", facts.buyer],
        ["Amount", [facts.amount, facts.currency].filter((part) => part !== "").join(" ")],
        ["Order", facts.order],
        ...(event === "product.user.purchaseRemoved" ? [reasonOf(facts)] : []),
      ]);
  }
}

export function reasonOf(facts: ReadFacts): [name: string, value: string] {
  // One word that the title says already.
  const known = facts.removal !== "removed" && /^[a-z-]+$/i.test(facts.reason);
  return ["Reason", known ? "" : facts.reason];
}

/** Values are cleaned and not escaped. */
export function present(fields: readonly (readonly [name: string, value: string])[]) {
  return fields
    .filter(([, value]) => value !== "")
    .map(([name, value]): DiscordField => ({
      name,
      value: cutText(escapeMarkdown(value), DISCORD_LIMITS.fieldValue),
      inline: true,
    }));
}

function versions({ previousVersion, version }: ReadFacts): string {
  return previousVersion === "" || previousVersion === version
    ? version
    : `${previousVersion} → ${version}`;
}
