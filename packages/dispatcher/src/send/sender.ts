import type { RenderedRequest } from "@markethook/protocol";
import { LRUCache } from "lru-cache";

import type { AllowList } from "../guard/allow-list.ts";
import { createResolver, type Resolver } from "../guard/resolver.ts";
import { type Connection } from "./connection.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { createDialer } from "./dial.ts";
import type { EgressProxy } from "./egress-proxy.ts";
import { Exchange, type ExchangeHost, type RequestOwner } from "./exchange.ts";
import type { SendResult } from "./send-result.ts";
import { SocketCount } from "./socket-count.ts";
import type { RightToWrite } from "./threads/right-to-write.ts";
import { readTarget, type Target } from "./target.ts";

export interface SenderOptions {
  /** Monotonic milliseconds. */
  now: () => number;
  /** From the call to the last byte of the answer; the design says 15,000. */
  attemptTimeoutMs: number;
  /** Addresses that may be receivers although not public. */
  allow: AllowList;
  blockedPorts: ReadonlySet<number>;
  /** `host:port` of the service itself. */
  ownPlace?: string | null;
  /** Open sockets in all; default 1000. */
  maxSockets?: number;
  /** Shared with other senders that have the same limit; default: this one alone. */
  sockets?: SocketCount;
  /** Default: DNS through c-ares. */
  resolver?: Resolver;
  /** Through which all connections go; default: none. */
  egressProxy?: EgressProxy | null;
  /** PEM; instead of the certificate authorities that come with Node. For tests. */
  ca?: string;
  /** How long a connection is kept without a request at most, whatever its receiver announces; default 120,000. */
  idleMs?: number;
  /** Memory for TLS sessions; default 32 MiB. */
  tlsSessionBytes?: number;
  /** Groups for the key exchange of TLS, as OpenSSL names them; null: as OpenSSL chooses. */
  tlsCurves?: string | null;
}

export interface Sender {
  /**
   * Sends one request once. Never rejects: what goes wrong is in the result's category. `mayWrite` is asked at
   * the last moment before the request is handed to the socket; false ends it as `lease_lost`, nothing sent.
   */
  send(
    request: RenderedRequest,
    mayWrite: () => boolean,
    rules?: Pick<RequestOwner, "mayReach" | "party" | "instanceNo">,
  ): Promise<SendResult>;
  /** The same without a promise, which would outlive what it tells: for the many that are under way at a time. */
  start(request: RenderedRequest, owner: RequestOwner): void;
  /** Being dialled, in use and idle. */
  openSockets(): number;
  /** Threads that send now; 0: the caller's own thread does. */
  threads(): number;
  /** Memory in which its threads read who may write until when; null: it has none, and asks each request's owner. */
  right: RightToWrite | null;
  /** Destroys all sockets at once; open exchanges, and later ones, end as `stopped`. */
  close(): void;
}

/** What is remembered of a URL. */
interface Place {
  target: Target;
  /** Whose request went there last: hardly a URL has two. */
  party: string;
  /** Of connections for this party. */
  key: string;
}

const TICK_MS = 50;
const REMEMBERED_URLS = 10_000;
/** An idle connection may have an end waiting in the kernel that was not read yet; below this it is not worth asking. */
const FRESH_MS = 100;

/**
 * The only place from which packets go to receivers. Per request: a connection kept or dialled, one write, one
 * parse of the answer. One timer serves all exchanges and idle connections.
 */
export function createSender(options: SenderOptions): Sender {
  const { now } = options;
  const { allow, blockedPorts, ownPlace = null } = options;
  const rules = { allow, blockedPorts, ownPlace };
  const dialer = createDialer({
    now,
    allow,
    resolver: options.resolver ?? createResolver({ now }),
    egressProxy: options.egressProxy ?? null,
    sessionBytes: options.tlsSessionBytes ?? 32 * 1024 * 1024,
    curves: options.tlsCurves ?? null,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  const pool = new ConnectionPool({
    now,
    maxSockets: options.maxSockets ?? 1000,
    sockets: options.sockets ?? new SocketCount(),
    idleMs: options.idleMs ?? 120_000,
  });
  /** Reading a URL costs more than finding it; a refusal is remembered as its sentence. */
  const places = new LRUCache<string, Place | string>({ max: REMEMBERED_URLS });
  const open = new Set<Exchange>();
  let ticker: NodeJS.Timeout | null = null;
  let closed = false;

  const host: ExchangeHost = {
    now,
    ended: (exchange) => open.delete(exchange),
    freed: (connection, keepAliveSeconds) => pool.release(connection, now(), keepAliveSeconds),
    lostKept: (connection) => pool.distrust(connection),
  };

  function tick(): void {
    const at = now();
    for (const exchange of open) exchange.check(at);
    pool.sweep(at);
    if (open.size > 0 || pool.size > 0 || ticker === null) return;
    clearInterval(ticker);
    ticker = null;
  }

  function startTicker(): void {
    // Sockets keep the process alive, the timer alone must not.
    ticker = setInterval(tick, TICK_MS).unref();
  }

  function placeOf(url: string): Place | string {
    let place = places.get(url);
    if (place === undefined) {
      const target = readTarget(url, rules);
      place = typeof target === "string" ? target : { target, party: "", key: target.origin };
      places.set(url, place);
    }
    return place;
  }

  function begin(exchange: Exchange): void {
    const place = placeOf(exchange.url);
    if (typeof place === "string") {
      exchange.fail("blocked", place);
      return;
    }
    const kept = takeKept(exchange, place);
    if (kept !== null && kept.flushed && now() - kept.idleSince < FRESH_MS) {
      startOnKept(exchange, kept);
      return;
    }
    const started =
      kept === null ? dialAndStart(exchange, place) : startAfterPoll(exchange, place, kept);
    started.catch((error: unknown) => exchange.fail("connection_failed", String(error)));
  }

  function takeKept(exchange: Exchange, place: Place): Connection | null {
    const key = keyOf(exchange, place);
    for (;;) {
      const kept = pool.take(key, now());
      if (kept === null || exchange.mayReach(kept.address)) return kept;
      kept.close();
    }
  }

  function start(request: RenderedRequest, owner: RequestOwner): void {
    const exchange = new Exchange(host, request, owner, options.attemptTimeoutMs);
    if (closed) {
      exchange.fail("stopped", "the sender is closed");
      return;
    }
    open.add(exchange);
    if (ticker === null) startTicker();
    // Node throws for what it takes for a mistake of its caller; that must not end the process.
    try {
      begin(exchange);
    } catch (error) {
      exchange.fail("connection_failed", String(error));
    }
  }

  function startOnKept(exchange: Exchange, kept: Connection): void {
    exchange.reusedConnection = true;
    exchange.start(kept);
  }

  /**
   * Lets the event loop read what the receiver sent meanwhile, most of all the end of the connection. A connection
   * that was not flushed before is flushed or closed afterwards.
   */
  async function startAfterPoll(exchange: Exchange, place: Place, kept: Connection): Promise<void> {
    exchange.hold(kept);
    await new Promise(setImmediate);
    if (exchange.ended) return;
    if (kept.usable) startOnKept(exchange, kept);
    else await dialAndStart(exchange, place);
  }

  async function dialAndStart(exchange: Exchange, place: Place): Promise<void> {
    const { target } = place;
    const addresses = await dialer.lookUp(target, exchange.timings);
    if (exchange.ended) return;
    if ("category" in addresses) {
      exchange.fail(addresses.category, addresses.detail);
      return;
    }
    await exchange.confirm(addresses);
    if (exchange.ended) return;
    const reachable = addresses.filter((address) => exchange.mayReach(address));
    if (reachable.length === 0) {
      exchange.fail("address_unconfirmed", `${target.host}: ${addresses.join(", ")}`);
      return;
    }
    const connection = pool.open(keyOf(exchange, place), target.origin);
    if (connection === null) {
      exchange.fail("socket_limit", "all sockets are in use");
      return;
    }
    exchange.hold(connection);
    const failure = await dialer.dial(
      target,
      reachable,
      connection,
      exchange.deadline,
      exchange.timings,
    );
    if (exchange.ended) return;
    if (failure !== null) exchange.fail(failure.category, failure.detail, failure.certificate);
    else if (!connection.usable)
      exchange.fail("connection_closed", "before the request was written");
    else exchange.start(connection);
  }

  return {
    send: (request, mayWrite, rules) =>
      new Promise((ended) => start(request, { mayWrite, ended, ...rules })),

    start,

    openSockets: () => pool.size,
    threads: () => 0,
    right: null,

    close() {
      closed = true;
      for (const exchange of open) exchange.fail("stopped", "the sender was closed");
      pool.closeIdle();
      if (ticker !== null) clearInterval(ticker);
      ticker = null;
    },
  };
}

/** Of its connections. Kept from one request to the next: a text made again is hashed again at every look-up. */
function keyOf({ party }: Exchange, place: Place): string {
  if (place.party !== party) {
    place.party = party;
    place.key = party === "" ? place.target.origin : `${place.target.origin} ${party}`;
  }
  return place.key;
}
