import type { EventName } from "@markethook/protocol";
import type { ReadFacts } from "./event-facts.ts";

export interface Placeholder {
  /** Without braces. */
  name: string;
  about: string;
  sample: string;
}

interface Source extends Placeholder {
  read(facts: ReadFacts): string;
}

/** How a message, and the field of an edited sale, name a removal. */
export const REMOVAL_WORDS = { refund: "Refunded", chargeback: "Charged back", removed: "Removed" };

const RESOURCE: readonly Source[] = [
  source("resource", "The resource's title", "Castle of Ash", (facts) => facts.resource),
  source("subtitle", "The resource's subtitle", "A map for eight", (facts) => facts.subtitle),
];
const TIME = source("time", "When it happened, in UTC", "2026-01-02 03:04 UTC", (f) => f.time);
const BUYER: readonly Source[] = [
  source("buyer", "The buyer's name, or the user id", "Jo", (f) => f.buyer || userOf(f)),
  source("user_id", "The user's id", "4711", (facts) => facts.userId),
];
const PAYMENT: readonly Source[] = [
  source("amount", "The amount, if the marketplace reports it", "4.99", (f) => f.amount),
  source("currency", "The currency, if the marketplace reports it", "EUR", (f) => f.currency),
  source("order", "The order's id, if the marketplace reports it", "88213", (f) => f.order),
];

const SOURCES: Readonly<Record<EventName, readonly Source[]>> = {
  ping: [...RESOURCE, TIME],
  "product.update": [
    ...RESOURCE,
    source("version", "The new version", "1.1.0", (facts) => facts.version),
    source("previous_version", "The version before", "1.0.2", (f) => f.previousVersion),
    source("branch", "The branch: release, snapshot", "release", (facts) => facts.branch),
    source("size", "The new file's size", "1.2 MB", (facts) => facts.size),
    source("update_title", "The update's title", "The moat", (facts) => facts.updateTitle),
    source("update_text", "The update's description", "Now with water.", (f) => f.updateText),
    TIME,
  ],
  "product.user.purchase": [...RESOURCE, ...BUYER, ...PAYMENT, TIME],
  "product.user.purchaseRemoved": [
    ...RESOURCE,
    source("removal", "Refunded, Charged back or Removed", "Refunded", (facts) => {
      return REMOVAL_WORDS[facts.removal];
    }),
    source("reason", "The reason, if the marketplace reports it", "refund", (f) => f.reason),
    ...BUYER,
    ...PAYMENT,
    TIME,
  ],
  "product.user.firstDownload": [...RESOURCE, ...BUYER, TIME],
};

/** The placeholders for an owner's title and text of this event. */
export function placeholdersOf(event: EventName): Placeholder[] {
  return SOURCES[event].map(({ name, about, sample }) => ({ name, about, sample }));
}

/** Cleaned and not escaped; empty: not known of this event. Null: no placeholder of this event. */
export function placeholderValue(event: EventName, name: string, facts: ReadFacts): string | null {
  return SOURCES[event].find((one) => one.name === name)?.read(facts) ?? null;
}

function userOf(facts: ReadFacts): string {
  return facts.userId === "" ? "somebody" : `user ${facts.userId}`;
}

function source(
  name: string,
  about: string,
  sample: string,
  read: (facts: ReadFacts) => string,
): Source {
  return { name, about, sample, read };
}
