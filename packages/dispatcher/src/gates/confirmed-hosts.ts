import type { ConfirmedAddress, HostStore } from "@markethook/store";
import { LRUCache } from "lru-cache";

/**
 * Addresses that answered 2xx at least once under the name (and port) that led to them. A host with such an address
 * is trusted until it turns out that its name leads elsewhere now.
 *
 * unknown --a 2xx from an address--> trusted --its name leads to other addresses only--> doubted
 * doubted --its name leads to a confirmed address again, or a 2xx from the new one--> trusted
 */
export interface ConfirmedHosts {
  /** Reads what was known before. */
  start(): Promise<void>;
  /** The host has a confirmed address, and is not in doubt. */
  trusts(host: string): boolean;
  has(host: string, address: string): boolean;
  /** Trusts the host from now on. True: it did not before. The address is stored later, next to the sending. */
  add(host: string, address: string): boolean;
  doubt(host: string): void;
  /** None of its addresses is confirmed any more. */
  forget(host: string): void;
  /** Stores what is not stored yet. */
  stop(): Promise<void>;
}

/** About 20 MB of names; what falls out is confirmed again by its next answer. */
const MOST_HOSTS = 100_000;
/** A name that leads to more confirms those that it left longest ago again. */
const MOST_ADDRESSES = 32;
const MOST_DOUBTED = 10_000;
const WRITE_AFTER_MS = 500;
const AGAIN_AFTER_MS = 5000;

export function createConfirmedHosts(options: {
  store: HostStore;
  fault(where: string, error: unknown): void;
}): ConfirmedHosts {
  const { store } = options;
  /** By host, the address confirmed last at the end. */
  const known = new LRUCache<string, string[]>({ max: MOST_HOSTS });
  /** A host that falls out is doubted again when its request has no address to go to. */
  const doubted = new LRUCache<string, true>({ max: MOST_DOUBTED });
  let unwritten: ConfirmedAddress[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  function schedule(ms: number): void {
    timer ??= setTimeout(() => {
      timer = null;
      writing = write();
    }, ms).unref();
  }

  async function write(): Promise<void> {
    const written = unwritten;
    if (written.length === 0) return;
    unwritten = [];
    try {
      await store.confirm(written);
    } catch (error) {
      options.fault("store confirmed addresses", error);
      unwritten = [...written, ...unwritten].slice(0, MOST_HOSTS);
      schedule(AGAIN_AFTER_MS);
    }
  }

  /** False: it is known, or the host has so many that it stands in the place of another. */
  function learn(host: string, address: string): boolean {
    const addresses = known.get(host);
    if (addresses === undefined) {
      known.set(host, [address]);
      return true;
    }
    if (addresses.includes(address)) return false;
    addresses.push(address);
    if (addresses.length <= MOST_ADDRESSES) return true;
    addresses.shift();
    return false;
  }

  const trusts = (host: string): boolean =>
    known.has(host) && !(doubted.size > 0 && doubted.has(host));

  return {
    async start() {
      const latestFirst = await store.confirmed(MOST_HOSTS);
      for (const { host, address } of latestFirst.reverse()) learn(host, address);
    },
    trusts,
    has: (host, address) => known.get(host)?.includes(address) === true,
    add(host, address) {
      // Nearly every answer is one more from an address that is known.
      if (doubted.size === 0 && known.get(host)?.includes(address) === true) return false;
      const trusted = trusts(host);
      if (learn(host, address)) {
        unwritten.push({ host, address });
        schedule(WRITE_AFTER_MS);
      }
      if (!trusted) doubted.delete(host);
      return !trusted;
    },
    doubt: (host) => void doubted.set(host, true),
    forget: (host) => void known.delete(host),
    async stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      await writing;
      // With the database gone nothing is lost but the knowledge of an address, which its next answer brings back.
      await store.confirm(unwritten).catch(() => undefined);
    },
  };
}
