import type { ConfirmedAddress, HostStore } from "@markethook/store";
import { LRUCache } from "lru-cache";

/** About 20 MB of names. A host that is evicted is confirmed again by its next answer. */
const MOST_HOSTS = 100_000;
/** If a name leads to more addresses, the ones that it left longest ago have to be confirmed again. */
const MOST_ADDRESSES = 32;
const MOST_DOUBTED = 10_000;
const WRITE_AFTER_MS = 500;
const AGAIN_AFTER_MS = 5000;

export type ConfirmedHosts = ReturnType<typeof createConfirmedHosts>;

/**
 * Addresses that answered 2xx at least once under the name (and port) that led to them. A host with such an address is
 * trusted until its name turns out to lead elsewhere.
 *
 * unknown --a 2xx from an address--> trusted --its name leads to other addresses only--> doubted
 *         --no connection to a confirmed address--> unreachable
 * doubted --its name leads to a confirmed address again, or a 2xx from the new one--> trusted
 * unreachable --its name leads to confirmed addresses only, or a 2xx--> trusted
 */
export function createConfirmedHosts(options: {
  store: HostStore;
  fault(where: string, error: unknown): void;
}) {
  const { store } = options;
  /** Addresses by host; the one that was confirmed last is at the end. */
  // With `max` it would take 3 MB at once.
  const known = new LRUCache<string, string[]>({ maxSize: MOST_HOSTS, sizeCalculation: () => 1 });
  /** A host that is evicted is in doubt again when its request finds no allowed address. */
  const doubted = new LRUCache<string, "moved" | "unreachable">({ max: MOST_DOUBTED });
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

  /** Returns false if the address is known, or if it replaces another one because the host has too many. */
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

  /** True if the host has a confirmed address and is not in doubt. */
  const trusts = (host: string): boolean =>
    known.has(host) && !(doubted.size > 0 && doubted.has(host));

  return {
    /** Reads the stored addresses. */
    async start(): Promise<void> {
      const latestFirst = await store.confirmed(MOST_HOSTS);
      for (const { host, address } of latestFirst.reverse()) learn(host, address);
    },
    trusts,
    has: (host: string, address: string): boolean => known.get(host)?.includes(address) === true,
    /**
     * Trusts the host from now on. Returns true if it was not trusted before. The address is stored later, outside of
     * the sending path.
     */
    add(host: string, address: string): boolean {
      // Fast path: nearly every answer comes from a known address.
      if (doubted.size === 0 && known.get(host)?.includes(address) === true) return false;
      const trusted = trusts(host);
      // The one that answers now must not have to wait for those again.
      if (doubted.get(host) === "unreachable") known.delete(host);
      if (learn(host, address)) {
        unwritten.push({ host, address });
        schedule(WRITE_AFTER_MS);
      }
      if (!trusted) doubted.delete(host);
      return !trusted;
    },
    /** Its name leads to no confirmed address. */
    doubt: (host: string) => void doubted.set(host, "moved"),
    /** No connection to a confirmed address came about: the others that its name leads to must have their turn. */
    unreachable(host: string): void {
      if (known.has(host)) doubted.set(host, "unreachable");
    },
    /** Trusts it again if its name, which leads to these addresses, leads where it answered. Returns whether it does. */
    trustAgain(host: string, addresses: readonly string[]): boolean {
      const confirmed = addresses.filter((address) => known.get(host)?.includes(address));
      const least = doubted.get(host) === "unreachable" ? addresses.length : 1;
      if (confirmed.length < least) return false;
      doubted.delete(host);
      return true;
    },
    /** Stores addresses that are not stored yet. */
    async stop(): Promise<void> {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      await writing;
      // If the database is away, only the knowledge of an address is lost. Its next answer brings it back.
      await store.confirm(unwritten).catch(() => undefined);
    },
  };
}
