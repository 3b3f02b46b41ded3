import type { LogPage, LogPosition } from "../../port/log-page.ts";

/** A page with few results goes on reading for this long, and then returns where to continue. */
const LOOKING_MS = 100;
/** A page without any result goes on for longer: an empty one tells its reader nothing. */
const LOOKING_FOR_ANY_MS = 1000;

/**
 * Reads a page part by part, so that each statement has a bounded number of rows and parameters, however long the log
 * is: until the page is full, the log ends, or it has taken long.
 */
export async function pageInParts<T>(
  page: LogPosition,
  read: (part: LogPosition) => Promise<LogPage<T>>,
): Promise<LogPage<T>> {
  const since = performance.now();
  const items: T[] = [];
  for (let { beforeSeq } = page; ;) {
    const part = await read({ ...page, beforeSeq, limit: page.limit - items.length });
    items.push(...part.items);
    const longest = items.length === 0 ? LOOKING_FOR_ANY_MS : LOOKING_MS;
    const isLong = page.examined !== undefined || performance.now() - since > longest;
    if (part.nextSeq === null || items.length === page.limit || isLong)
      return { items, nextSeq: part.nextSeq };
    beforeSeq = part.nextSeq;
  }
}

/** The lower of two bounds; null: none. */
export function lower(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}
