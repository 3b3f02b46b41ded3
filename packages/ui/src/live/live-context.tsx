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
import { keys } from "../api/query-cache.ts";
import { useSession } from "../session/session.ts";
import { type LiveDeliveries, type LiveStatus, startLiveDeliveries } from "./live-deliveries.ts";

const LiveContext = createContext<LiveDeliveries | null>(null);

/** Health strips and last deliveries need not follow each delivery; they are counted every two seconds. */
const SUMMARY_DELAY_MS = 2500;

export function LiveProvider({ children }: { children: ReactNode }) {
  const { client } = useSession();
  const queries = useQueryClient();
  const [live, setLive] = useState<LiveDeliveries | null>(null);

  useEffect(() => {
    const ending = new AbortController();
    const started = startLiveDeliveries(client, ending.signal);
    setLive(started);
    let pending: ReturnType<typeof setTimeout> | null = null;
    let seen = 0;
    started.listen((delivery) => {
      void queries.invalidateQueries({ queryKey: keys.delivery(delivery.id) });
      // A log that is shown takes it in by itself; one that is not reads again when somebody comes back to it.
      void queries.invalidateQueries({
        queryKey: keys.logs(),
        type: "inactive",
        refetchType: "none",
      });
      pending ??= setTimeout(() => {
        pending = null;
        void queries.invalidateQueries({ queryKey: keys.webhooks() });
        void queries.invalidateQueries({ queryKey: ["events"] });
        void queries.invalidateQueries({ queryKey: ["explanation"] });
      }, SUMMARY_DELAY_MS);
    });
    started.watch(() => {
      // After a gap, what was missed is read. A log that is shown does so itself, when its rows may move.
      if (started.openings() > 1 && started.openings() !== seen) {
        void queries.invalidateQueries({
          predicate: (query) => !(query.isActive() && isLog(query.queryKey)),
        });
      }
      seen = started.openings();
    });
    return () => {
      if (pending !== null) clearTimeout(pending);
      ending.abort();
    };
  }, [client, queries]);

  return <LiveContext value={live}>{children}</LiveContext>;
}

export function useLiveDelivery(onDelivery: (delivery: Delivery) => void): void {
  const live = useContext(LiveContext);
  const tell = useEffectEvent(onDelivery);
  useEffect(() => live?.listen((delivery) => tell(delivery)), [live]);
}

/** Told when something may have been missed. */
export function useLiveGap(onGap: () => void): void {
  const live = useContext(LiveContext);
  const tell = useEffectEvent(onGap);
  useEffect(() => {
    if (live === null) return undefined;
    let seen = live.openings();
    return live.watch(() => {
      const missed = seen > 0 && live.openings() > seen;
      seen = live.openings();
      if (missed) tell();
    });
  }, [live]);
}

function isLog(queryKey: readonly unknown[]): boolean {
  return keys.logs().every((part, index) => queryKey[index] === part);
}

export function useLiveStatus(): LiveStatus {
  const live = useContext(LiveContext);
  return useSyncExternalStore(
    (listener) => live?.watch(listener) ?? (() => {}),
    () => live?.status() ?? "connecting",
  );
}
