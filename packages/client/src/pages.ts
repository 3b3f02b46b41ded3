/** The API's largest page. */
const PAGE_SIZE = 200;

export interface ListOptions {
  /** Items per request, 1 to 200. They are fetched as they are needed. */
  pageSize?: number;
}

/** All items of a list, page after page, as far as they are asked for. */
export async function* eachItem<T>(
  options: ListOptions,
  getPage: (query: {
    limit: number;
    cursor?: string;
  }) => Promise<{ items: T[]; nextCursor: string | null }>,
): AsyncGenerator<T, void, undefined> {
  const limit = options.pageSize ?? PAGE_SIZE;
  let cursor: string | null = null;
  do {
    const page: { items: T[]; nextCursor: string | null } = await getPage(
      cursor === null ? { limit } : { limit, cursor },
    );
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
