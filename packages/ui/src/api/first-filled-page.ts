interface ListPage {
  items: unknown[];
  nextCursor: string | null;
  searched?: unknown;
}

/**
 * Skips empty pages: a page of a long list can be empty before its end. A search by text returns its first page even if
 * that is empty, because the reader is told how far it searched and decides.
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
