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

/** After a full page, scrolling loads the next one. After a search that filled no page, the reader decides. */
export function goesOnByItself(page: LogPage | undefined, pageSize: number): boolean {
  if (page === undefined || page.nextCursor === null) return false;
  return page.searched === undefined || page.items.length >= pageSize;
}
