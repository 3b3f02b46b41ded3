import { Connection } from "./connection.ts";

export interface PoolOptions {
  /** Open sockets in all, being dialled included. */
  maxSockets: number;
  /** Longest time a connection is kept without a request. */
  idleMs: number;
}

/** Counts all connections and keeps the idle ones by origin (scheme, host name and port). */
export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #all = new Set<Connection>();
  /** Newest last: the connection used last is the least likely to have been closed by its receiver. */
  readonly #idle = new Map<string, Connection[]>();
  readonly #forget = (connection: Connection): void => {
    this.#all.delete(connection);
    const stack = this.#idle.get(connection.origin);
    const at = stack?.lastIndexOf(connection) ?? -1;
    if (at !== -1) stack?.splice(at, 1);
  };

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#all.size;
  }

  /** A new connection yet to be dialled, in place of the longest idle one at the limit; null: all are in use. */
  open(origin: string): Connection | null {
    if (this.#all.size >= this.#options.maxSockets && !this.#closeLongestIdle()) return null;
    const connection = new Connection(origin, this.#forget);
    this.#all.add(connection);
    return connection;
  }

  /** The idle connection of this origin that was used last. */
  take(origin: string, now: number): Connection | null {
    const stack = this.#idle.get(origin);
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
    if (keepMs <= 0 || !connection.usable) {
      connection.close();
      return;
    }
    connection.user = null;
    connection.idleSince = now;
    connection.idleUntil = now + keepMs;
    const stack = this.#idle.get(connection.origin);
    if (stack === undefined) this.#idle.set(connection.origin, [connection]);
    else stack.push(connection);
  }

  /** Closes what has been idle for too long. */
  sweep(now: number): void {
    for (const [origin, stack] of this.#idle) {
      const expired = stack.filter((connection) => connection.idleUntil <= now);
      for (const connection of expired) connection.close();
      if (stack.length === 0) this.#idle.delete(origin);
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
