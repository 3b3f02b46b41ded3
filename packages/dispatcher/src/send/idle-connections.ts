import type { Connection } from "./connection.ts";

/** The idle connections: by key, and all of them in the order in which they became idle. */
export class IdleConnections {
  /** Newest last: the receiver has most probably not closed the connection that was used last. */
  readonly #byKey = new Map<string, Connection[]>();
  #oldest: Connection | null = null;
  #newest: Connection | null = null;

  /** The connection that has been idle for longest. */
  get oldest(): Connection | null {
    return this.#oldest;
  }

  /** The connection must be newer than all others here. */
  add(connection: Connection): void {
    connection.idle = true;
    connection.older = this.#newest;
    if (this.#newest === null) this.#oldest = connection;
    else this.#newest.newer = connection;
    this.#newest = connection;
    const stack = this.#byKey.get(connection.key);
    if (stack === undefined) this.#byKey.set(connection.key, [connection]);
    else stack.push(connection);
  }

  take(key: string): Connection | null {
    const connection = this.#byKey.get(key)?.at(-1);
    if (connection === undefined) return null;
    this.remove(connection);
    return connection;
  }

  /** Does nothing if the connection is not here. */
  remove(connection: Connection): void {
    if (!connection.idle) return;
    const { older, newer } = connection;
    if (older === null) this.#oldest = newer;
    else older.newer = newer;
    if (newer === null) this.#newest = older;
    else newer.older = older;
    connection.idle = false;
    connection.older = null;
    connection.newer = null;
    const stack = this.#byKey.get(connection.key);
    const at = stack?.lastIndexOf(connection) ?? -1;
    if (at !== -1) stack?.splice(at, 1);
  }

  /** Removes and returns the connections that are to be closed, and forgets keys without connections. */
  takeOver(now: number): Connection[] {
    const over: Connection[] = [];
    for (const [key, stack] of this.#byKey) {
      for (const connection of stack) if (connection.isOver(now)) over.push(connection);
      if (stack.length === 0) this.#byKey.delete(key);
    }
    for (const connection of over) this.remove(connection);
    return over;
  }
}
