import { list } from "../words/numbers.ts";
import { words } from "../words/first-words.ts";

/** The events that an owner can choose. */
export const CHOOSABLE_EVENTS = [
  "product.update",
  "product.user.purchase",
  "product.user.purchaseRemoved",
  "product.user.firstDownload",
] as const;

export type ChoosableEvent = (typeof CHOOSABLE_EVENTS)[number];

export function eventTitle(name: string): string {
  const titles: Readonly<Record<string, { title: string }>> = words.shared.events;
  return titles[name]?.title ?? name;
}

/** "All events", or their titles. */
export function chosenWords(events: readonly string[] | null): string {
  return events === null ? words.shared.allEvents : list(events.map(eventTitle));
}
