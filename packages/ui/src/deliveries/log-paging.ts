import type { Client, Delivery, operations } from "@markethook/client";
import { parseDeliveryId } from "@markethook/protocol/ids";
import type { InfiniteData } from "@tanstack/react-query";
import { firstFilledPage, unwrap } from "../api/answers.ts";
import type { LogFilter } from "./log-filter.ts";

export const PAGE_SIZE = 100;

export type LogPage = operations["listDeliveries"]["responses"][200]["content"]["application/json"];

/** The next rows of the log, newest first. A page that found nothing yet says where to look on. */
export async function listDeliveries(
  client: Client,
  filter: LogFilter,
  resourceId: string | null,
  from: string | null,
  signal: AbortSignal,
): Promise<LogPage> {
  const filtered = { ...filter, ...(resourceId === null ? {} : { resourceId }), limit: PAGE_SIZE };
  return await firstFilledPage(from, async (cursor) => {
    const query = { ...filtered, ...(cursor === null ? {} : { cursor }) };
    return await unwrap(client.api.GET("/v1/deliveries", { params: { query }, signal }));
  });
}

export interface ReadPage extends LogPage {
  /** Which opening of the stream it was read in: what happened before a later one may be missing. */
  opening: number;
  /** The newest row at the end of that opening; below it nothing is missing. Null: there was none. */
  upTo: string | null;
  /** A time before it was read, in milliseconds since 1970: all that was created earlier is known. */
  readAt: number;
}

/** The part of the log that was read so far, newest first. */
export type LogPages = InfiniteData<ReadPage, string | null>;

/** Whether the log was read far enough to have this delivery in it. */
export function reaches({ pages }: LogPages, delivery: Delivery): boolean {
  const last = pages.at(-1);
  if (last === undefined || last.nextCursor === null) return true;
  const oldest = last.items.at(-1);
  return oldest === undefined || key(delivery) > key(oldest);
}

/** Notes the newest row when the stream opens. Rows between it and the first ones of the stream can be missing. */
export function whenOpened(all: LogPages, opening: number): LogPages {
  const upTo = all.pages[0]?.items[0]?.id ?? null;
  const pages = all.pages.map((page) => (page.opening === opening - 1 ? { ...page, upTo } : page));
  return { ...all, pages };
}

/** Whether nothing can be missing between the newest page and the pages that were read before. */
export function meets(page: ReadPage, { pages }: LogPages): boolean {
  const { upTo = null, readAt = 0 } = pages[0] ?? {};
  // A search for a text looks at many deliveries, and may find none of them.
  const { backTo = null } = page.searched ?? {};
  if (backTo !== null && Date.parse(backTo) < readAt) return true;
  return upTo === null ? page.nextCursor === null : page.items.some(({ id }) => id === upTo);
}

/** More pages than these are read from the top again, and not one by one. */
const MOST_READ_AGAIN = 3;

/**
 * The first page and others with rows, for reading them again; null: they are too many. The pages of a search for a text are
 * kept however many they are, because the reader asked for each.
 */
export function cursorsToReadAgain({ pages, pageParams }: LogPages): (string | null)[] | null {
  const isSearch = pages[0]?.searched !== undefined;
  if (!isSearch && pages.length > MOST_READ_AGAIN) return null;
  return pageParams.filter((_, index) => index === 0 || pages[index]?.items.length !== 0);
}

export function has({ pages }: LogPages, id: string): boolean {
  return pages.some((page) => page.items.some((item) => item.id === id));
}

export function withChange(all: LogPages, delivery: Delivery): LogPages {
  const pages = all.pages.map((page) => {
    const index = page.items.findIndex((item) => item.id === delivery.id);
    return index === -1 ? page : { ...page, items: page.items.with(index, delivery) };
  });
  return { ...all, pages };
}

/** Each new delivery goes where reading the log again would show it, in any order of arrival. */
export function withNew(all: LogPages, deliveries: readonly Delivery[]): LogPages {
  return deliveries.reduce(withOne, all);
}

function withOne(all: LogPages, delivery: Delivery): LogPages {
  if (has(all, delivery.id) || !reaches(all, delivery)) return all;
  const number = key(delivery);
  const isNewerThan = (item: Delivery | undefined): boolean =>
    item !== undefined && number > key(item);
  const found = all.pages.findIndex(({ items }) => isNewerThan(items.at(-1)));
  const place = found === -1 ? all.pages.length - 1 : found;
  const pages = all.pages.map((page, index) => {
    if (index !== place) return page;
    const before = page.items.findIndex(isNewerThan);
    const items = page.items.toSpliced(before === -1 ? page.items.length : before, 0, delivery);
    return { ...page, items };
  });
  return { ...all, pages };
}

/** The key by which the service orders the log. */
function key({ id }: Delivery): number {
  return parseDeliveryId(id)?.seq ?? 0;
}

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
