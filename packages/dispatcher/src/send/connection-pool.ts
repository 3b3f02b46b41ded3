import { LRUCache } from "lru-cache";

import { Connection } from "./connection.ts";

const DISTRUSTED = 10_000;
const DISTRUST_MS = 60_000;

export interface PoolOptions {
  /** Monotonic milliseconds. */
  now: () => number;
  /** Open sockets in all, being dialled included. */
  maxSockets: number;
  /** Longest time a connection is kept without a request. */
  idleMs: number;
}

/** Counts all connections and keeps the idle ones by key: origin (scheme, host name and port) and party. */
export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #all = new Set<Connection>();
  readonly #distrusted: LRUCache<string, true>;
  /** Newest last: the connection used last is the least likely to have been closed by its receiver. */
  readonly #idle = new Map<string, Connection[]>();
  readonly #forget = (connection: Connection): void => {
    this.#all.delete(connection);
    const stack = this.#idle.get(connection.key);
    const at = stack?.lastIndexOf(connection) ?? -1;
    if (at !== -1) stack?.splice(at, 1);
  };

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#distrusted = new LRUCache({
      max: DISTRUSTED,
      ttl: DISTRUST_MS,
      perf: { now: options.now },
      ttlResolution: 0,
    });
  }

  get size(): number {
    return this.#all.size;
  }

  /** A new connection yet to be dialled, in place of the longest idle one at the limit; null: all are in use. */
  open(key: string): Connection | null {
    if (this.#all.size >= this.#options.maxSockets && !this.#closeLongestIdle()) return null;
    const connection = new Connection(key, this.#forget);
    this.#all.add(connection);
    return connection;
  }

  /** The idle connection of this key that was used last. */
  take(key: string, now: number): Connection | null {
    const stack = this.#idle.get(key);
    for (let found = stack?.pop(); found !== undefined; found = stack?.pop()) {
      if (found.usable && found.idleUntil > now) return found;
      found.close();
    }
    return null;
  }

  /** Keeps a free connection; `keepAliveSeconds` is what its receiver said about keeping it. */
  release(connection: Connection, now: number, keepAliveSeconds: number | null): void {
    // A second less than announced, or a request could cross with the receiver's closing.
    const announcedMs = keepAliveSeconds === null ? Infinity : (keepAliveSeconds - 1) * 1000;
    const keepMs = Math.min(this.#options.idleMs, announcedMs);
    const distrusted = this.#distrusted.size > 0 && this.#distrusted.has(connection.key);
    if (keepMs <= 0 || distrusted || !connection.usable) {
      connection.close();
      return;
    }
    connection.user = null;
    connection.idleSince = now;
    connection.idleUntil = now + keepMs;
    const stack = this.#idle.get(connection.key);
    if (stack === undefined) this.#idle.set(connection.key, [connection]);
    else stack.push(connection);
  }

  /**
   * A kept connection of this key was closed when a request had just been written. Such a request may not be
   * repeated at once, so for a while none is kept: some servers close after every answer without saying so.
   */
  distrust(key: string): void {
    this.#distrusted.set(key, true);
  }

  /** Closes what has been idle for too long. */
  sweep(now: number): void {
    for (const [key, stack] of this.#idle) {
      const expired = stack.filter((connection) => connection.idleUntil <= now);
      for (const connection of expired) connection.close();
      if (stack.length === 0) this.#idle.delete(key);
    }
  }

  closeIdle(): void {
    for (const stack of this.#idle.values()) {
      while (stack.length > 0) stack.at(-1)?.close();
    }
    this.#idle.clear();
  }

  #closeLongestIdle(): boolean {
    let longest: Connection | undefined;
    for (const stack of this.#idle.values()) {
      const oldest = stack[0];
      if (oldest !== undefined && oldest.idleSince < (longest?.idleSince ?? Infinity)) {
        longest = oldest;
      }
    }
    longest?.close();
    return longest !== undefined;
  }
}
