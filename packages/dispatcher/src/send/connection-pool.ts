import { LRUCache } from "lru-cache";

import { Connection, type ConnectionHost } from "./connection.ts";
import { IdleConnections } from "./idle-connections.ts";
import { createKeepAliveTimes } from "./keep-alive-times.ts";
import type { ResponseHead } from "./response-head.ts";
import type { SocketCount } from "./socket-count.ts";

const DISTRUSTED = 10_000;
/** For how long no connection is kept at first. Each loss within the two hours after one makes it four times as long. */
const DISTRUST_MS = 60_000;
const LONGEST_DISTRUST_MS = 3_600_000;
const REMEMBERED_MS = 2 * LONGEST_DISTRUST_MS;
/** A receiver that has answered so often on a connection keeps connections: it was perhaps restarted. */
const TRUSTED_AFTER = 10;
const SWEEP_MS = 1000;
/**
 * How long a busy connection is kept: only a new one finds out that its name leads elsewhere by now, or that its
 * certificate has expired. Each lasts up to a minute longer, so that those opened together do not end together.
 */
const KEPT_MS = 5 * 60_000;
const STEPS = 60;
const STEP_MS = 1000;

export interface PoolOptions {
  now: () => number;
  /** Limit of open sockets, including those being dialled. */
  maxSockets: number;
  /** The count of all pools that share this limit. */
  sockets: SocketCount;
  /** Longest time a connection is kept without a request. */
  idleMs: number;
}

/** Counts all connections and keeps the idle ones by key: origin (scheme, host name and port) and party. */
export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #all = new Set<Connection>();
  readonly #idle = new IdleConnections();
  readonly #keepAliveTimes: ReturnType<typeof createKeepAliveTimes>;
  readonly #distrusted: LRUCache<string, { forMs: number; until: number }>;
  #sweptAt = -Infinity;
  #opened = 0;
  readonly #host: ConnectionHost = {
    closed: (connection) => {
      if (this.#all.delete(connection)) this.#options.sockets.add(-1);
      this.#idle.remove(connection);
    },
    left: (connection) => this.#noteEnd(connection),
  };

  constructor(options: PoolOptions) {
    const { now, idleMs } = options;
    this.#options = options;
    this.#keepAliveTimes = createKeepAliveTimes(idleMs, now);
    this.#distrusted = new LRUCache({
      max: DISTRUSTED,
      ttl: REMEMBERED_MS,
      perf: { now },
      ttlResolution: 0,
    });
  }

  get size(): number {
    return this.#all.size;
  }

  /**
   * Makes a connection, not yet dialled. At the limit it replaces the one that has been idle for longest. Null: all are
   * in use. If only other pools have idle ones, the limit is exceeded until they have closed some.
   */
  open(key: string, origin: string): Connection | null {
    const { maxSockets, sockets, now } = this.#options;
    if (sockets.all >= maxSockets) {
      if (this.#idle.oldest !== null) this.#idle.oldest.close();
      else if (this.#all.size >= maxSockets) return null;
    }
    sockets.add(1);
    const connection = new Connection(key, origin, this.#host);
    connection.keptUntil = now() + KEPT_MS + (this.#opened % STEPS) * STEP_MS;
    this.#opened += 1;
    this.#all.add(connection);
    return connection;
  }

  /**
   * Takes the idle connection of this key that was used last. One that is not flushed must not be used in this turn of
   * the event loop.
   */
  take(key: string, now: number): Connection | null {
    for (;;) {
      const found = this.#idle.take(key);
      if (found === null || (found.usable && !found.isOver(now))) return found;
      found.close();
    }
  }

  /**
   * Keeps a free connection. `answer`: what its receiver said about keeping it; null: no request was written, so that an
   * earlier answer counts.
   */
  release(
    connection: Connection,
    now: number,
    answer: Pick<ResponseHead, "keepAliveSeconds"> | null,
  ): void {
    const isUnused = answer === null && connection.answered > 0;
    const keepMs = isUnused
      ? connection.idleUntil - now
      : this.#keepAliveTimes.msFor(connection.origin, answer?.keepAliveSeconds ?? null);
    const distrusted =
      this.#distrusted.size > 0 && now < (this.#distrusted.get(connection.key)?.until ?? 0);
    const old = now >= connection.keptUntil;
    if (keepMs <= 0 || distrusted || old || !connection.usable) {
      connection.close();
      return;
    }
    if (!connection.flushed) connection.closeUnlessFlushedSoon();
    connection.user = null;
    if (answer !== null) connection.answered += 1;
    if (!isUnused) connection.idleSince = now;
    connection.idleUntil = now + keepMs;
    connection.wireBytesBefore = connection.wireBytes;
    this.#idle.add(connection);
  }

  /**
   * Call when a kept connection was closed just after a request was written. Such a request may not be repeated at
   * once, because some servers close after every answer without saying so. So for some time no connection of this key
   * is kept, unless it had answered often: after a restart of its receiver each request would need a new connection.
   */
  distrust(connection: Connection): void {
    if (connection.answered >= TRUSTED_AFTER) return;
    const now = this.#options.now();
    const before = this.#distrusted.get(connection.key);
    // Several can be lost at once.
    if (before === undefined || now >= before.until) {
      const forMs = Math.min(LONGEST_DISTRUST_MS, (before?.forMs ?? DISTRUST_MS / 4) * 4);
      this.#distrusted.set(connection.key, { forMs, until: now + forMs });
    }
    this.#noteEnd(connection);
  }

  /**
   * Closes idle connections above the limit, which another pool has exceeded, and those that have been idle for too
   * long or were sent too much. Looks for the latter once per second; `take` never returns one of them.
   */
  sweep(now: number): void {
    const { maxSockets, sockets } = this.#options;
    while (this.#idle.oldest !== null && sockets.all > maxSockets) this.#idle.oldest.close();
    if (now - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = now;
    for (const connection of this.#idle.takeOver(now)) connection.close();
  }

  closeIdle(): void {
    for (let next = this.#idle.oldest; next !== null; next = this.#idle.oldest) next.close();
  }

  #noteEnd({ origin, idleSince }: Connection): void {
    this.#keepAliveTimes.noteEnd(origin, this.#options.now() - idleSince);
  }
}
