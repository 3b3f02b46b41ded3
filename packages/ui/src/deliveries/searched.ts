import { timeToTheMinute } from "../shared/relative-time.ts";
import type { LogPage } from "./list-deliveries.ts";

/** How far the log was searched for a text. */
export interface Searched {
  deliveries: number;
  /** Milliseconds since 1970; null: there was none. */
  backTo: number | null;
  /** There was nothing older. */
  isAll: boolean;
}

/** Null: no text was searched for. */
export function searchedBy(pages: readonly LogPage[]): Searched | null {
  const parts = pages.flatMap(({ searched }) => (searched === undefined ? [] : [searched]));
  if (parts.length === 0) return null;
  const times = parts.flatMap(({ backTo }) => (backTo === null ? [] : [Date.parse(backTo)]));
  return {
    deliveries: parts.reduce((sum, part) => sum + part.deliveries, 0),
    backTo: times.at(-1) ?? null,
    isAll: pages.at(-1)?.nextCursor === null,
  };
}

/** A page that was filled goes on as the log is scrolled; one that was not, when the reader says so. */
export function goesOnByItself(page: LogPage | undefined, pageSize: number): boolean {
  if (page === undefined || page.nextCursor === null) return false;
  return page.searched === undefined || page.items.length >= pageSize;
}

export function searchedWords({ deliveries, backTo, isAll }: Searched): string {
  const many = deliveries.toLocaleString("en");
  if (isAll) return deliveries === 1 ? "Searched 1 delivery." : `Searched all ${many} deliveries.`;
  const since = backTo === null ? "" : `, back to ${timeToTheMinute(backTo)}`;
  return `Searched the newest ${many} deliveries${since}.`;
}
