/** A page of a long list can be empty before the end: asks on from its cursor until there are items, or no more pages. */
export async function firstFilledPage<Page extends { items: unknown[]; nextCursor: string | null }>(
  from: string | null,
  getPage: (cursor: string | null) => Promise<Page>,
): Promise<Page> {
  let cursor = from;
  for (;;) {
    const page = await getPage(cursor);
    if (page.items.length > 0 || page.nextCursor === null) return page;
    cursor = page.nextCursor;
  }
}
