import { LRUCache } from "lru-cache";

/** Most proxies in front of receivers allow more than this: nginx 75 s, load balancers 60 s. */
const UNANNOUNCED_MS = 55_000;
/** A request could be sent at the moment at which the receiver closes. Of a shorter time a quarter is left for that. */
const MARGIN_MS = 1000;
/** Busy connections are idle for less, so a time learned from them by mistake costs hardly any new connection. */
const SHORTEST_MS = 500;
/** Connections that end within this time may have ended for one reason, such as a restart. */
const TOGETHER_MS = 1000;
const ORIGINS = 10_000;
/** The receiver's settings may change. */
const REMEMBERED_MS = 3_600_000;

interface Seen {
  /** How long the receiver lets connections be idle, in milliseconds. */
  lifetimeMs: number;
  /** When the last ones ended together, and how long one of them had been idle at most. */
  ended: { at: number; idleMs: number };
}

const NOTHING_SEEN: Seen = { lifetimeMs: Infinity, ended: { at: -Infinity, idleMs: Infinity } };

/** Decides how long idle connections are kept: as announced, and as long as the origin was seen to keep them. */
export function createKeepAliveTimes(longestMs: number, now: () => number) {
  const seen = new LRUCache<string, Seen>({
    max: ORIGINS,
    ttl: REMEMBERED_MS,
    perf: { now },
    ttlResolution: 0,
  });
  return {
    /**
     * Returns how long to keep a connection; zero or less: not at all. `announcedSeconds`: the receiver's own
     * announcement.
     */
    msFor(origin: string, announcedSeconds: number | null): number {
      const announcedMs =
        announcedSeconds === null ? UNANNOUNCED_MS : announcedSeconds * 1000 - MARGIN_MS;
      const seenMs = seen.get(origin)?.lifetimeMs ?? Infinity;
      const marginMs = Math.min(MARGIN_MS, seenMs / 4);
      return Math.min(longestMs, announcedMs, Math.max(SHORTEST_MS, seenMs - marginMs));
    },
    /**
     * Call when the receiver closed a connection that had been idle for this long. One such end says nothing, as a
     * restart closes connections of any age. Two, one some time after the other, say that it keeps them for the longer
     * of both.
     */
    noteEnd(origin: string, idleMs: number): void {
      const at = now();
      const { lifetimeMs, ended } = seen.get(origin) ?? NOTHING_SEEN;
      const longerMs = Math.max(idleMs, ended.idleMs);
      const isTogether = at - ended.at < TOGETHER_MS;
      seen.set(origin, {
        lifetimeMs: isTogether ? lifetimeMs : Math.min(lifetimeMs, longerMs),
        ended: isTogether ? { at: ended.at, idleMs: longerMs } : { at, idleMs },
      });
    },
  };
}
