import { LRUCache } from "lru-cache";

/** Most proxies in front of receivers allow more than this: nginx 75 s, load balancers 60 s. */
const UNANNOUNCED_MS = 55_000;
/** A request could be sent at the moment at which the receiver closes. */
const MARGIN_MS = 1000;
/** A connection that ended earlier than this may have ended for any reason. Node servers close after 5 s. */
const SHORTEST_MS = 4000;
const ORIGINS = 10_000;
/** Lifetimes are forgotten after this time, because a restart of a receiver closes all its connections. */
const REMEMBERED_MS = 3_600_000;

/** Decides how long idle connections are kept: as announced, and as long as the origin was seen to keep them. */
export class KeepAliveTimes {
  readonly #longestMs: number;
  /** By origin, in milliseconds: the shortest idle time after which the receiver closed a connection. */
  readonly #shortestLifetimes: LRUCache<string, number>;

  constructor(longestMs: number, now: () => number) {
    this.#longestMs = longestMs;
    this.#shortestLifetimes = new LRUCache({
      max: ORIGINS,
      ttl: REMEMBERED_MS,
      perf: { now },
      ttlResolution: 0,
    });
  }

  /**
   * Returns how long to keep a connection; zero or less: not at all. `announcedSeconds`: the receiver's own
   * announcement.
   */
  msFor(origin: string, announcedSeconds: number | null): number {
    const announcedMs =
      announcedSeconds === null ? UNANNOUNCED_MS : announcedSeconds * 1000 - MARGIN_MS;
    const seenMs = this.#shortestLifetimes.get(origin) ?? Infinity;
    return Math.min(this.#longestMs, announcedMs, Math.max(SHORTEST_MS, seenMs - MARGIN_MS));
  }

  /** Call when the receiver closed a connection that had been idle for this long. */
  noteLifetime(origin: string, ms: number): void {
    this.#shortestLifetimes.set(
      origin,
      Math.min(ms, this.#shortestLifetimes.get(origin) ?? Infinity),
    );
  }
}
