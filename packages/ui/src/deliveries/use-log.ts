import type { Delivery } from "@markethook/client";
import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { keys } from "../api/query-keys.ts";
import { useLiveDelivery } from "../live/live-context.tsx";
import { useSession } from "../session/session-context.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { type LogFilter, matches } from "./log-filter.ts";

interface Page {
  items: Delivery[];
  nextCursor: string | null;
}
type Pages = InfiniteData<Page, string | null>;

/** More than this is not held back while somebody reads further down. */
const MOST_HELD_BACK = 500;

/** The log, page by page, followed live. What arrives while `isReading` is held back and counted in `news`. */
export function useLog(filter: LogFilter, isReading: () => boolean) {
  const { client, info } = useSession();
  const queries = useQueryClient();
  const queryKey = keys.log(filter);
  const [heldBack, setHeldBack] = useState<Delivery[]>([]);
  const [arrivals, setArrivals] = useState(0);

  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }): Promise<Page> =>
      await listDeliveries(client, filter, info.resourceId, pageParam, signal),
    getNextPageParam: (last) => last.nextCursor,
    // Rows give way to rows: narrowing does not flicker.
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });

  const identity = JSON.stringify(queryKey);
  useEffect(() => {
    setHeldBack([]);
    setArrivals(0);
  }, [identity]);

  const prepend = useCallback(
    (deliveries: readonly Delivery[]) => {
      queries.setQueryData<Pages>(keys.log(filter), (pages) => withNew(pages, deliveries));
    },
    // The filter by its value.
    [queries, identity],
  );

  useLiveDelivery((delivery) => {
    const pages = queries.getQueryData<Pages>(queryKey);
    if (pages === undefined) return;
    if (has(pages, delivery.id)) {
      queries.setQueryData<Pages>(queryKey, (now) => withChange(now, delivery));
      return;
    }
    if (!matches(delivery, filter) || !isNewer(delivery, pages)) return;
    if (isReading()) {
      setHeldBack((held) =>
        [delivery, ...held.filter(({ id }) => id !== delivery.id)].slice(0, MOST_HELD_BACK),
      );
      return;
    }
    prepend([delivery]);
    setArrivals((count) => count + 1);
  });

  const showNews = (): void => {
    prepend(heldBack);
    setHeldBack([]);
  };

  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  return { query, items, news: heldBack.length, showNews, arrivals };
}

function has(pages: Pages, id: string): boolean {
  return pages.pages.some((page) => page.items.some((item) => item.id === id));
}

/** Not one further down, which the log has simply not read yet. */
function isNewer(delivery: Delivery, { pages }: Pages): boolean {
  const newest = pages[0]?.items[0];
  return newest === undefined || delivery.createdAt >= newest.createdAt;
}

function withChange(pages: Pages | undefined, delivery: Delivery): Pages | undefined {
  if (pages === undefined) return undefined;
  return {
    ...pages,
    pages: pages.pages.map((page) =>
      page.items.some((item) => item.id === delivery.id)
        ? { ...page, items: page.items.map((item) => (item.id === delivery.id ? delivery : item)) }
        : page,
    ),
  };
}

function withNew(pages: Pages | undefined, deliveries: readonly Delivery[]): Pages | undefined {
  const first = pages?.pages[0];
  if (pages === undefined || first === undefined) return pages;
  const known = new Set(first.items.map((item) => item.id));
  const fresh = deliveries.filter((delivery) => !known.has(delivery.id));
  return {
    ...pages,
    pages: [{ ...first, items: [...fresh, ...first.items] }, ...pages.pages.slice(1)],
  };
}
