import type { HostStore } from "@markethook/store";
import { LRUCache } from "lru-cache";

/** Hosts (name and port) that answered 2xx at least once, to anything, at any time. */
export interface ConfirmedHosts {
  /** Reads what was known before. */
  start(): Promise<void>;
  has(host: string): boolean;
  /** True: it is new. Stored later, beside the sending. */
  add(host: string): boolean;
  /** Stores what is not stored yet. */
  stop(): Promise<void>;
}

/** About 10 MB of names; what falls out is confirmed again by its next answer. */
const MOST = 100_000;
const WRITE_AFTER_MS = 500;
const AGAIN_AFTER_MS = 5000;

export function createConfirmedHosts(options: {
  store: HostStore;
  fault(where: string, error: unknown): void;
}): ConfirmedHosts {
  const { store } = options;
  const known = new LRUCache<string, true>({ max: MOST });
  const unwritten = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  function schedule(ms: number): void {
    timer ??= setTimeout(() => {
      timer = null;
      writing = write();
    }, ms).unref();
  }

  async function write(): Promise<void> {
    const hosts = [...unwritten];
    if (hosts.length === 0) return;
    unwritten.clear();
    try {
      await store.confirm(hosts);
    } catch (error) {
      options.fault("store confirmed hosts", error);
      for (const host of hosts) unwritten.add(host);
      schedule(AGAIN_AFTER_MS);
    }
  }

  return {
    async start() {
      for (const host of await store.confirmed(MOST)) known.set(host, true);
    },
    has: (host) => known.has(host),
    add(host) {
      if (known.has(host)) return false;
      known.set(host, true);
      unwritten.add(host);
      schedule(WRITE_AFTER_MS);
      return true;
    },
    async stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      await writing;
      // With the database gone nothing is lost but the knowledge of a host, which its next answer brings back.
      await store.confirm([...unwritten]).catch(() => undefined);
    },
  };
}
