import { Resolver as CaresResolver } from "node:dns/promises";
import { closeSync, openSync } from "node:fs";
import { isIP } from "node:net";
import { devNull } from "node:os";
import { LRUCache } from "lru-cache";
import { isLocalhost } from "./url-rules.ts";

export interface Resolver {
  /** Every address of both families, IPv4 first, never empty; rejects with a `ResolveError`. */
  resolve(host: string): Promise<string[]>;
}

export interface CachingResolver extends Resolver {
  /** The answer that `resolve` would give now without a query. Empty: it would reject. Undefined: it has to query. */
  known(host: string): readonly string[] | undefined;
}

export interface LearningResolver extends CachingResolver {
  /** Takes over the answer of another resolver: some names lead elsewhere in each answer. */
  learn(host: string, addresses: readonly string[]): void;
}

export interface ResolverOptions {
  now: () => number;
  /** Time for one name in all, from its first query on; default 2000. */
  budgetMs?: number;
  /** How long to wait for the other address family after the first answer; default 300. */
  otherFamilyMs?: number;
  /** Name servers as `address:port`, read again when they fail; default the system's. */
  servers?: readonly string[];
}

/** A name did not lead to an address. */
export class ResolveError extends Error {
  /** `socket_limit`: we could not ask. */
  readonly category: "dns_failure" | "socket_limit";
  constructor(message: string, category: ResolveError["category"] = "dns_failure") {
    super(message);
    this.category = category;
  }
}

/** The answer for one address family. */
interface Answer {
  addresses: string[];
  ttlMs: number;
  fault: string | null;
}

/** A TTL of 0 must not make every dial a query, and nor must a name that leads nowhere. */
const MIN_TTL_MS = 1000;
/** Longest time an answer is kept, whatever its TTL. */
const MAX_TTL_MS = 30_000;
const REMEMBERED = 10_000;
/**
 * A name with more leads nowhere. Each request has all of them judged and counted: thousands, which fit into an answer,
 * would take tens of milliseconds each time, and a gigabyte for all names.
 */
const MOST_ADDRESSES = 100;
/** Answers of a working name server about the name itself. */
const OF_NAMES: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA", "no address"]);
const FOLLOW_EVERY_MS = 1000;

/**
 * How many names are queried at once, each by two queries, and how long the next ones wait. The first moments after a
 * pause can need thousands. A name server would drop some of so many, and each dropped one costs nearly a second.
 */
const BURST_NAMES = 16;
const BURST_PAUSE_MS = 2;

/**
 * Queries DNS through c-ares. `dns.lookup` is never used: it runs on Node's small thread pool, where a few names of a
 * silent server delay all others, and it also reads the hosts file.
 */
export function createResolver(options: ResolverOptions): LearningResolver {
  const budgetMs = options.budgetMs ?? 2000;
  const otherFamilyMs = options.otherFamilyMs ?? 300;
  const firstTryMs = Math.ceil(budgetMs / 3);
  const openCares = (): CaresResolver => {
    const made = new CaresResolver({ timeout: firstTryMs, tries: 2, maxTimeout: firstTryMs * 2 });
    if (options.servers !== undefined) made.setServers(options.servers);
    return made;
  };
  let cares = openCares();
  let followedAt = -Infinity;
  const cache = new LRUCache<string, string[] | ResolveError>({
    max: REMEMBERED,
    ttl: MAX_TTL_MS,
    perf: { now: options.now },
    ttlResolution: 0,
  });
  const open = new Map<string, Promise<string[]>>();
  const startInBurst = createBursts(BURST_NAMES, BURST_PAUSE_MS);

  async function query(host: string): Promise<string[]> {
    const families = [
      cares.resolve4(host, { ttl: true }).then(toAnswer),
      cares.resolve6(host, { ttl: true }).then(toAnswer),
    ] as const;
    const answers = await collect(families, budgetMs, otherFamilyMs);
    // All of them, because an address that was not judged could be the forbidden one.
    const addresses = answers.flatMap((answer) => answer.addresses);
    if (addresses.length === 0) {
      const faults = new Set(answers.map((answer) => answer.fault ?? "no address"));
      const isOfName = [...faults].every((fault) => OF_NAMES.has(fault));
      // Then c-ares says that the name server refused: it had no socket to ask it.
      const noFile = !isOfName && findOutOfFiles() !== null;
      // Without a file the system's settings cannot be read either.
      if (!isOfName && !noFile) followServers();
      throw refused(host, [...faults].join(", "), noFile ? "socket_limit" : "dns_failure");
    }
    if (addresses.length > MOST_ADDRESSES) throw refused(host, `${addresses.length} addresses`);
    const ttlMs = Math.min(...answers.map((answer) => answer.ttlMs));
    cache.set(host, addresses, { ttl: Math.min(Math.max(ttlMs, MIN_TTL_MS), MAX_TTL_MS) });
    return addresses;
  }

  /** Makes the error of a name, and keeps it for a moment. */
  function refused(host: string, why: string, category?: ResolveError["category"]): ResolveError {
    const error = new ResolveError(`${host}: ${why}`, category);
    cache.set(host, error, { ttl: MIN_TTL_MS });
    return error;
  }

  /** c-ares reads the system's settings once. They may name other servers by now, as after a change of the network. */
  function followServers(): void {
    if (options.now() - followedAt < FOLLOW_EVERY_MS) return;
    followedAt = options.now();
    const fresh = openCares();
    if (fresh.getServers().join() !== cares.getServers().join()) cares = fresh;
  }

  function kept(host: string): string[] | ResolveError | undefined {
    if (isLocalhost(host)) return ["127.0.0.1", "::1"];
    return isIP(host) === 0 ? cache.get(host) : [host];
  }

  return {
    known(host) {
      const answer = kept(host);
      return answer instanceof ResolveError ? [] : answer;
    },
    learn: (host, addresses) => void cache.set(host, [...addresses], { ttl: MAX_TTL_MS }),
    async resolve(host) {
      const answer = kept(host);
      if (answer instanceof ResolveError) throw answer;
      if (answer !== undefined) return answer;
      let shared = open.get(host);
      if (shared === undefined) {
        shared = new Promise<void>(startInBurst)
          .then(() => query(host))
          .finally(() => open.delete(host));
        open.set(host, shared);
      }
      return shared;
    },
  };
}

/** The error if this process, or the machine, has as many files and connections open as it may; null: it has not. */
export function findOutOfFiles(): Error | null {
  try {
    closeSync(openSync(devNull, "r"));
    return null;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException; // A system call's.
    return error instanceof Error && (code === "EMFILE" || code === "ENFILE") ? error : null;
  }
}

function toAnswer(records: { address: string; ttl: number }[]): Answer {
  return {
    addresses: records.map((record) => record.address),
    ttlMs: 1000 * Math.min(...records.map((record) => record.ttl)),
    fault: null,
  };
}

function toFault(error: unknown): Answer {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return { addresses: [], ttlMs: Infinity, fault: code };
}

/** Returns both answers, or those that have come when the time is up. Never rejects. */
function collect(
  families: readonly [Promise<Answer>, Promise<Answer>],
  budgetMs: number,
  otherFamilyMs: number,
): Promise<[Answer, Answer]> {
  return new Promise((resolve) => {
    const missing = toFault("no answer in time");
    const answers: [Answer, Answer] = [missing, missing];
    const finish = (): void => {
      clearTimeout(timer);
      resolve(answers);
    };
    let timer = setTimeout(finish, budgetMs);
    const settle = (index: 0 | 1, answer: Answer): void => {
      answers[index] = answer;
      if (!answers.includes(missing)) finish();
      else if (answer.addresses.length > 0) {
        // Some name servers never answer for IPv6; that must not cost every dial the whole time.
        clearTimeout(timer);
        timer = setTimeout(finish, Math.min(otherFamilyMs, budgetMs));
      }
    };
    for (const index of [0, 1] as const) {
      void families[index].catch(toFault).then((answer) => settle(index, answer));
    }
  });
}

/** Starts jobs in the order of arrival: a fixed number at once, and the same number again after each pause. */
function createBursts(size: number, pauseMs: number) {
  const waiting = new Set<() => void>();
  let left = size;
  let timer: NodeJS.Timeout | null = null;

  function startSome(): void {
    for (const start of waiting) {
      if (left === 0) break;
      waiting.delete(start);
      left -= 1;
      start();
    }
    if (timer !== null || left === size) return;
    timer = setTimeout(() => {
      timer = null;
      left = size;
      startSome();
    }, pauseMs);
  }

  return (start: () => void): void => {
    waiting.add(start);
    startSome();
  };
}
