interface ListPage {
  items: unknown[];
  nextCursor: string | null;
  searched?: unknown;
}

/**
 * A page of a long list can be empty before the end: asks on from its cursor until there are items, or no more pages. Not
 * where a text was searched for: the reader is told how far, and decides.
 */
export async function firstFilledPage<Page extends ListPage>(
  from: string | null,
  getPage: (cursor: string | null) => Promise<Page>,
): Promise<Page> {
  let cursor = from;
  for (;;) {
    const page = await getPage(cursor);
    const { items, nextCursor, searched } = page;
    if (items.length > 0 || nextCursor === null || searched !== undefined) return page;
    cursor = nextCursor;
  }
}
