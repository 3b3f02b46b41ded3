import type { Pool, PoolClient } from "pg";

/**
 * Too many connections, a login that fails, as after a change of the role's password, a server's name that cannot be looked
 * up, a certificate that is refused, as after it has expired, and no file left for a socket.
 */
const NO_MORE = /^(?:53300|28...|ENOTFOUND|EAI_AGAIN|.*CERT.*|EMFILE|ENFILE)$/;
const ASK_AGAIN_MS = 10_000;

interface Size {
  /** The most that the pool may open. */
  max: number;
  connected: Set<PoolClient>;
  /** The server refused one more, a short time ago. */
  refused: boolean;
  onRefused(error: unknown): void;
}

const sizes = new WeakMap<Pool, Size>();

/** Counts the pool's connections: the pool itself counts those that the server may still refuse, too. */
export function countConnections(pool: Pool): void {
  const size: Size = {
    max: pool.options.max,
    connected: new Set(),
    refused: false,
    onRefused: () => undefined,
  };
  sizes.set(pool, size);
  pool.on("connect", (client) => void size.connected.add(client));
  pool.on("remove", (client) => void size.connected.delete(client));
}

/** Without those that the pool has begun to close: with a cut network, that takes a quarter of an hour. */
function openIn({ connected }: Size): number {
  let open = 0;
  for (const client of connected) {
    const { _ending: isEnding = false } = client as { _ending?: boolean }; // Not in the types.
    if (!isEnding) open += 1;
  }
  return open;
}

/** Calls the listener at most once in ten seconds for each pool. */
export function onConnectionRefused(
  pools: readonly Pool[],
  listener: (error: unknown) => void,
): void {
  for (const pool of pools) {
    const size = sizes.get(pool);
    if (size !== undefined) size.onRefused = listener;
  }
}

/**
 * Takes a connection from the pool. If the server opens no more, this waits for one of those that the pool has, and the
 * pool opens none for ten seconds.
 */
export async function takeClient(pool: Pool): Promise<PoolClient> {
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      const size = sizes.get(pool);
      const open = size === undefined ? 0 : openIn(size);
      if (size === undefined || open === 0 || !opensNoMore(error)) throw error;
      pool.options.max = open;
      if (size.refused) continue;
      size.refused = true;
      size.onRefused(error);
      setTimeout(() => {
        pool.options.max = size.max;
        size.refused = false;
      }, ASK_AGAIN_MS).unref();
    }
  }
}

/** Of several servers, each may have refused. */
export function opensNoMore(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(opensNoMore);
  if (!(error instanceof Error)) return false;
  if ("code" in error && NO_MORE.test(String(error.code))) return true;
  return error.cause !== undefined && opensNoMore(error.cause);
}
