import { LRUCache } from "lru-cache";

/** What most proxies before receivers allow at least: nginx 75 s, load balancers 60 s. */
const UNANNOUNCED_MS = 55_000;
/** A request could cross with the receiver's closing. */
const MARGIN_MS = 1000;
/** A connection that ended earlier than this may have ended for any reason. Node servers close after 5 s. */
const SHORTEST_MS = 4000;
const ORIGINS = 10_000;
/** A receiver that is restarted closes all its connections, whatever it usually does. */
const REMEMBERED_MS = 3_600_000;

/** Decides how long idle connections are kept: as announced, and as long as the origin was seen to keep them. */
export class KeepTimes {
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

  /** Zero or less: the connection is not kept. `announcedSeconds` is what its receiver said. */
  msFor(origin: string, announcedSeconds: number | null): number {
    const announcedMs =
      announcedSeconds === null ? UNANNOUNCED_MS : announcedSeconds * 1000 - MARGIN_MS;
    const instanceNo = this.#shortestLifetimes.get(origin) ?? Infinity;
    return Math.min(this.#longestMs, announcedMs, Math.max(SHORTEST_MS, instanceNo - MARGIN_MS));
  }

  /** The receiver closed a connection that had been idle for that long. */
  noteLifetime(origin: string, ms: number): void {
    this.#shortestLifetimes.set(
      origin,
      Math.min(ms, this.#shortestLifetimes.get(origin) ?? Infinity),
    );
  }
}
