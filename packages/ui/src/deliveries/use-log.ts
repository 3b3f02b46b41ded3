import type { Delivery } from "@markethook/client";
import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { keys } from "../api/query-cache.ts";
import { useLiveDelivery, useLiveGap } from "../live/live-context.tsx";
import { useSession } from "../session/session.ts";
import { listDeliveries, type LogPage } from "./list-deliveries.ts";
import { type LogFilter, matches } from "./log-filter.ts";
import { has, type LogPages, reaches, withChange, withNew } from "./log-pages.ts";
import { words } from "../words/words.ts";

interface HeldBack {
  deliveries: readonly Delivery[];
  /** More came than is kept here, or the stream was interrupted: the log must be read again. */
  incomplete: boolean;
}

const NOTHING: HeldBack = { deliveries: [], incomplete: false };
const MOST_HELD_BACK = 500;

/**
 * The log, page by page, followed live. Rows change their state in place at any time. New rows are inserted at once,
 * or held back while `isHeld`, until `showNews`.
 */
export function useLog(filter: LogFilter, isHeld: () => boolean) {
  const { client, info } = useSession();
  const queries = useQueryClient();
  const queryKey = keys.log(filter);
  const [heldBack, setHeldBack] = useState(NOTHING);
  const [arrivals, setArrivals] = useState(0);

  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }): Promise<LogPage> =>
      await listDeliveries(client, filter, info.resourceId, pageParam, signal),
    getNextPageParam: (last) => last.nextCursor,
    // Rows give way to rows: narrowing does not flicker.
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    // The stream opens again too, which is noticed below.
    refetchOnReconnect: ({ state }) => (state.data === undefined ? "always" : false),
  });

  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);

  const identity = JSON.stringify(queryKey);
  const latestHeldBack = useRef(NOTHING);
  useEffect(() => {
    latestHeldBack.current = heldBack;
  });
  useEffect(() => {
    setHeldBack(NOTHING);
    return () => {
      // What was never shown is read by anyone who comes back.
      if (latestHeldBack.current === NOTHING) return;
      void queries.invalidateQueries({ queryKey, exact: true, refetchType: "none" });
    };
    // The key by its value.
  }, [queries, identity]);

  // A first row has nothing to move.
  const holds = (): boolean => items.length > 0 && isHeld();

  const change = (next: (pages: LogPages) => LogPages): void => {
    queries.setQueryData<LogPages>(queryKey, (pages) =>
      pages === undefined ? undefined : next(pages),
    );
  };

  useLiveDelivery((delivery) => {
    const pages = queries.getQueryData<LogPages>(queryKey);
    if (pages === undefined) return;
    if (has(pages, delivery.id)) {
      change((now) => withChange(now, delivery));
      return;
    }
    if (heldBack.deliveries.some(({ id }) => id === delivery.id)) {
      setHeldBack((held) => withHeldBack(held, delivery));
      return;
    }
    if (!matches(delivery, filter) || !reaches(pages, delivery)) return;
    if (holds()) {
      setHeldBack((held) => withHeldBack(held, delivery));
      return;
    }
    change((now) => withNew(now, [delivery]));
    setArrivals((count) => count + 1);
  });

  const readAgain = (): void => {
    // From the top: the pages below it may have moved by any number of rows.
    change(({ pages, pageParams }) => ({
      pages: pages.slice(0, 1),
      pageParams: pageParams.slice(0, 1),
    }));
    void queries.invalidateQueries({ queryKey, exact: true });
  };

  useLiveGap(() => {
    if (holds()) setHeldBack((held) => ({ ...held, incomplete: true }));
    else readAgain();
  });

  const showNews = (): void => {
    if (heldBack === NOTHING) return;
    change((now) => withNew(now, heldBack.deliveries));
    if (heldBack.incomplete) readAgain();
    setHeldBack(NOTHING);
  };

  return { query, items, news: newsOf(heldBack), showNews, arrivals };
}

function withHeldBack(held: HeldBack, delivery: Delivery): HeldBack {
  const deliveries = [delivery, ...held.deliveries.filter(({ id }) => id !== delivery.id)];
  return {
    deliveries: deliveries.slice(0, MOST_HELD_BACK),
    incomplete: held.incomplete || deliveries.length > MOST_HELD_BACK,
  };
}

/** What the button says; null: nothing is held back. */
function newsOf({ deliveries, incomplete }: HeldBack): string | null {
  if (incomplete) return words.deliveries.showNew;
  return deliveries.length === 0 ? null : words.deliveries.showNewOnes(deliveries.length);
}
