import type { Delivery } from "@markethook/client";
import { useQueryClient } from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from "react";
import { createLaterReading, keys, readAgain } from "../api/query-cache.ts";
import { useSession } from "../session/session.ts";
import { type LiveDeliveries, type LiveStatus, startLiveDeliveries } from "./live-deliveries.ts";

const LiveContext = createContext<LiveDeliveries | null>(null);

/** Sparklines and last deliveries need not follow each delivery; they are counted every two seconds. */
const SUMMARY_DELAY_MS = 2500;
const SUMMARIES: ReadonlySet<unknown> = new Set(["webhooks", "events", "explanation"]);

export function LiveProvider({ children }: { children: ReactNode }) {
  const { client } = useSession();
  const queries = useQueryClient();
  const [live, setLive] = useState<LiveDeliveries | null>(null);

  useEffect(() => {
    const ending = new AbortController();
    const started = startLiveDeliveries(client, ending.signal);
    setLive(started);
    let seen = 0;
    let wasLive = false;
    const summarizeSoon = createLaterReading(
      queries,
      { predicate: ({ queryKey }) => SUMMARIES.has(queryKey[0]) },
      { delayMs: SUMMARY_DELAY_MS, signal: ending.signal },
    );
    started.listen((delivery) => {
      void readAgain(queries, { queryKey: keys.delivery(delivery.id) });
      // A log that is shown takes it in by itself; one that is not reads again when somebody comes back to it.
      void queries.invalidateQueries({
        queryKey: keys.logs(),
        type: "inactive",
        refetchType: "none",
      });
      summarizeSoon();
    });
    started.watch(() => {
      const isNew = started.openings() !== seen;
      if (isNew && wasLive) {
        // More happens than the stream reports, and may do so each second.
        void readAgain(queries, { queryKey: keys.oneByOne() });
        summarizeSoon();
      } else if (isNew) {
        // Earlier readings may lack something; after a gap, also the changes of others. A log that shows
        // rows reads that itself, when they may move.
        const isFirst = seen === 0;
        void readAgain(queries, {
          predicate: (query) =>
            (!isFirst || isTold(query.queryKey)) &&
            (!isLog(query.queryKey) || !query.isActive() || query.state.status === "error"),
        });
      }
      seen = started.openings();
      wasLive = started.status() === "live";
    });
    return () => ending.abort();
  }, [client, queries]);

  return <LiveContext value={live}>{children}</LiveContext>;
}

export function useLiveDelivery(onDelivery: (delivery: Delivery) => void): void {
  const live = useContext(LiveContext);
  const tell = useEffectEvent(onDelivery);
  useEffect(() => live?.listen((delivery) => tell(delivery)), [live]);
}

/** Calls `onOpening` at each opening of the stream, before any delivery that follows it. */
export function useLiveOpening(onOpening: (opening: number) => void): void {
  const live = useContext(LiveContext);
  const tell = useEffectEvent(onOpening);
  useEffect(() => {
    if (live === null) return undefined;
    let seen = live.openings();
    return live.watch(() => {
      if (live.openings() === seen) return;
      seen = live.openings();
      tell(seen);
    });
  }, [live]);
}

/** How often the stream has opened so far; 0: not yet. Readings from before the last opening may lack something. */
export function useLiveOpenings(): number {
  return useWatched((live) => live?.openings() ?? 0);
}

export function useLiveStatus(): LiveStatus {
  return useWatched((live) => live?.status() ?? "connecting");
}

function useWatched<T>(read: (live: LiveDeliveries | null) => T): T {
  const live = useContext(LiveContext);
  return useSyncExternalStore(
    (listener) => live?.watch(listener) ?? (() => {}),
    () => read(live),
  );
}

/** Whether the answer under this key has deliveries in it. */
function isTold([first]: readonly unknown[]): boolean {
  return first === keys.deliveries()[0] || SUMMARIES.has(first);
}

function isLog(queryKey: readonly unknown[]): boolean {
  return keys.logs().every((part, index) => queryKey[index] === part);
}
