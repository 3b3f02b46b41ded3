import { ApiError, type Problem, UnexpectedAnswerError } from "@markethook/client";

/** Whether what was asked for does not exist, or belongs to someone else. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** The data of a call made by its path, or an `ApiError` thrown, as the client's own functions do. */
export async function unwrap<T>(
  pending: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await pending;
  // That is what `ok` decides in the typed client.
  if (response.ok) return data as T;
  if (typeof error === "object" && error !== null && "code" in error) {
    throw new ApiError(error as Problem, null);
  }
  throw new UnexpectedAnswerError(`The answer was ${response.status}.`, response.status, "");
}

interface ListPage {
  items: unknown[];
  nextCursor: string | null;
  searched?: unknown;
}

/**
 * Skips empty pages: a page of a long list can be empty before its end. A search by text returns its first page even if
 * that is empty, because the page shows the reader how far it searched.
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
