import { list } from "../words/numbers.ts";
import { words } from "../words/first-words.ts";

export function eventTitle(name: string): string {
  const titles: Readonly<Record<string, { title: string }>> = words.shared.events;
  return titles[name]?.title ?? name;
}

/** "All events", or their titles. */
export function chosenWords(events: readonly string[] | null): string {
  return events === null ? words.shared.allEvents : list(events.map(eventTitle));
}
