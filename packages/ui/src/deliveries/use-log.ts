import type { Delivery } from "@markethook/client";
import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { keys } from "../api/query-cache.ts";
import { useLiveDelivery, useLiveOpening, useLiveOpenings } from "../live/live-context.tsx";
import { useSession } from "../session/session.ts";
import { serviceNow } from "../shared/times.ts";
import {
  cursorsToReadAgain,
  has,
  listDeliveries,
  type LogPages,
  meets,
  reaches,
  type ReadPage,
  whenOpened,
  withChange,
  withNew,
} from "./log-paging.ts";
import { type LogFilter, matches } from "./log-filter.ts";
import { words } from "../words/words.ts";

interface HeldBack {
  deliveries: readonly Delivery[];
  /** More came than is kept here, or the stream was interrupted: the log must be read again. */
  incomplete: boolean;
}

const NOTHING: HeldBack = { deliveries: [], incomplete: false };
const MOST_HELD_BACK = 500;
/** How many arrived rows are kept at most, for a page that is left open for days. */
const MOST_ARRIVED = 1000;
/** More than the service's clock is known to. */
const CLOCK_MS = 5000;

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

  const openings = useLiveOpenings();
  /** Deliveries that the stream reported while the log was read: the answer can be older. */
  const heard = useRef<Delivery[]>([]);
  const catchingUp = useRef(0);
  const isReading = (): boolean =>
    catchingUp.current > 0 || queries.getQueryState(queryKey)?.fetchStatus === "fetching";

  const read = async (from: string | null, signal: AbortSignal): Promise<ReadPage> => {
    const readAt = serviceNow() - CLOCK_MS;
    const page = await listDeliveries(client, filter, info.resourceId, from, signal);
    return { ...page, opening: openings, upTo: page.items[0]?.id ?? null, readAt };
  };

  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => await read(pageParam, signal),
    getNextPageParam: (last) => last.nextCursor,
    // The rows stay until others come, so that narrowing does not flicker.
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    // Sharing would compare all rows with their neighbours whenever one is inserted.
    structuralSharing: false,
    // When the browser is online again, the stream opens again; missed deliveries are read below.
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
      // Rows that were held back are read when the reader comes back.
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

  const readFromTop = (): void => {
    // The pages below the first may have moved by any number of rows.
    change(({ pages, pageParams }) => ({
      pages: pages.slice(0, 1),
      pageParams: pageParams.slice(0, 1),
    }));
    void queries.invalidateQueries({ queryKey, exact: true });
  };

  /** `fits`: whether it belongs in the log as it is narrowed. */
  const take = (delivery: Delivery, fits: boolean): void => {
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
    if (!fits || !reaches(pages, delivery)) return;
    if (holds()) {
      setHeldBack((held) => withHeldBack(held, delivery));
      return;
    }
    change((now) => withNew(now, [delivery]));
    setArrivals((count) => count + 1);
    if ((pages.pages[0]?.items.length ?? 0) > MOST_ARRIVED && !isReading()) readFromTop();
  };
  useLiveDelivery((delivery) => {
    if (isReading() || heard.current.length > 0) heard.current.push(delivery);
    take(delivery, matches(delivery, filter));
  });
  /** In the order in which it was heard, so that each row ends with its last state. */
  const takeHeard = useEffectEvent(() => {
    if (isReading()) return;
    for (const delivery of heard.current.splice(0)) take(delivery, matches(delivery, filter));
  });
  useEffect(() => takeHeard(), [query.fetchStatus, query.dataUpdatedAt]);

  useLiveOpening((opening) => change((now) => whenOpened(now, opening)));

  /** Reads the changes between the log's reading and the stream's opening, and takes them as if the stream reported them. */
  const catchUp = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    const known = queries.getQueryData<LogPages>(queryKey);
    const cursors = known === undefined ? null : cursorsToReadAgain(known);
    catchingUp.current += 1;
    const fresh = await Promise.all(
      (cursors ?? []).map(async (cursor) => await read(cursor, signal)),
    ).catch(() => []);
    catchingUp.current -= 1;
    if (signal.aborted) return;
    const [first] = fresh;
    const before = queries.getQueryData<LogPages>(queryKey);
    if (first === undefined || before === undefined || !meets(first, before)) {
      if (holds()) setHeldBack((held) => ({ ...held, incomplete: true }));
      else readFromTop();
      return;
    }
    const { opening, readAt } = first;
    change((now) => ({ ...now, pages: now.pages.map((one) => ({ ...one, opening, readAt })) }));
    for (const delivery of fresh.flatMap(({ items }) => items).toReversed()) take(delivery, true);
  });
  const readIn = query.isPlaceholderData ? undefined : query.data?.pages[0]?.opening;
  useEffect(() => {
    if (readIn === undefined || readIn === openings) return undefined;
    const ending = new AbortController();
    void catchUp(ending.signal).then(takeHeard);
    return () => ending.abort();
  }, [readIn, openings, identity]);

  const showNews = (): void => {
    if (heldBack === NOTHING) return;
    change((now) => withNew(now, heldBack.deliveries));
    if (heldBack.incomplete) readFromTop();
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

/** The text of the button; null: nothing is held back. */
function newsOf({ deliveries, incomplete }: HeldBack): string | null {
  if (incomplete) return words.deliveries.showNew;
  return deliveries.length === 0 ? null : words.deliveries.showNewOnes(deliveries.length);
}
