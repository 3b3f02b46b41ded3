import { EVENT_SUBJECTS, type EventName } from "@markethook/protocol/event-names";
import type { ReadFacts } from "./event-facts.ts";

/** A value is cleaned and not escaped. */
export type KnownFact = readonly [name: string, value: string];

/** The facts that are known of the event. */
export function knownFacts(event: EventName, facts: ReadFacts): KnownFact[] {
  return listOf(event, facts).filter(([, value]) => value !== "");
}

function listOf(event: EventName, facts: ReadFacts): KnownFact[] {
  switch (EVENT_SUBJECTS[event]) {
    case "webhook":
      return [];
    case "update":
      return [
        ["Version", versions(facts)],
        ["Branch", facts.branch],
        ["Size", facts.size],
      ];
    case "user":
      return [
        facts.buyer === "" ? ["User", facts.userId] : ["Buyer", facts.buyer],
        ["Amount", [facts.amount, facts.currency].filter((part) => part !== "").join(" ")],
        ["Order", facts.order],
        ...(event === "product.user.purchaseRemoved" ? [reasonFact(facts)] : []),
      ];
  }
}

/** Empty where the reason says no more than the title. */
export function reasonFact(facts: ReadFacts): KnownFact {
  // A single word repeats the title.
  const known = facts.removal !== "removed" && /^[a-z-]+$/i.test(facts.reason);
  return ["Reason", known ? "" : facts.reason];
}

function versions({ previousVersion, version }: ReadFacts): string {
  return previousVersion === "" || previousVersion === version
    ? version
    : `${previousVersion} → ${version}`;
}
