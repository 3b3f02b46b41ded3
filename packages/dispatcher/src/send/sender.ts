import type { RenderedRequest } from "@markethook/protocol";
import { LRUCache } from "lru-cache";

import type { AllowList } from "../guard/allow-list.ts";
import { createResolver, type Resolver } from "../guard/resolver.ts";
import { readTarget, type Target, type UrlRules } from "../guard/url-rules.ts";
import { type Connection } from "./connection.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { createDialer, type Dialer } from "./dial.ts";
import type { EgressProxy } from "./egress-proxy.ts";
import { Exchange, type ExchangeHost, type RequestOwner } from "./exchange.ts";
import type { SendResult } from "./send-result.ts";
import { startSigned, type SignedOwner } from "./signed-exchange.ts";
import type { UnsignedRequest } from "./signed-request.ts";
import { SocketCount } from "./socket-count.ts";
import type { RightToWrite } from "./threads/right-to-write.ts";

export interface SenderOptions {
  now: () => number;
  /** From the call to the last byte of the answer. */
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
  /** The proxy of all connections; default: none. */
  egressProxy?: EgressProxy | null;
  /** PEM; instead of the certificate authorities that come with Node. For tests. */
  ca?: string;
  /** Longest time that a connection is kept without a request, whatever its receiver announces; default 120,000. */
  idleMs?: number;
  /** Memory for TLS sessions; default 32 MiB. */
  tlsSessionBytes?: number;
  /** Groups for the key exchange of TLS, as OpenSSL names them; null: as OpenSSL chooses. */
  tlsCurves?: string | null;
}

export interface Sender {
  /**
   * Sends one request once. Never rejects: a failure is in the category of the result. `mayWrite` is asked at the last
   * moment before the request is handed to the socket. False ends it as `lease_lost`; then nothing is sent.
   */
  send(
    request: RenderedRequest,
    mayWrite: () => boolean,
    rules?: Pick<RequestOwner, "mayReach" | "party" | "instanceNo">,
  ): Promise<SendResult>;
  /** The same without a promise, for many requests at a time: promises would outlive their results in memory. */
  start(request: RenderedRequest, owner: RequestOwner): void;
  /** The same for a request that is still to be signed, and whose attempt's detail is to be written. */
  startSigned(unsigned: UnsignedRequest, owner: SignedOwner): void;
  /** Number of sockets that are being dialled, in use or idle. */
  openSockets(): number;
  /** Number of threads that send now; 0: the caller's own thread does. */
  threads(): number;
  /** Memory in which its threads read which instance may write until when. Null: it asks each request's owner. */
  right: RightToWrite | null;
  /** Destroys all sockets at once; open exchanges, and later ones, end as `stopped`. */
  close(): void;
}

/** The cached facts of a URL. */
interface Place {
  target: Target;
  /** The party of the last request; hardly any URL has two. */
  party: string;
  /** Key of the connections for this party. */
  key: string;
}

const TICK_MS = 50;
const REMEMBERED_URLS = 10_000;
/** The kernel may hold an unread end of an idle connection. For shorter idle times it is not worth checking. */
const FRESH_MS = 100;

/**
 * The only code that sends packets to receivers. Per request: a kept or new connection, one write, one parse of the
 * answer. One timer serves all exchanges and idle connections.
 */
class DirectSender implements Sender {
  readonly right = null;
  readonly #options: SenderOptions;
  readonly #rules: UrlRules;
  readonly #dialer: Dialer;
  readonly #pool: ConnectionPool;
  /** Parsing a URL costs more than a look-up. A refused URL is stored as the sentence that refuses it. */
  readonly #places = new LRUCache<string, Place | string>({ max: REMEMBERED_URLS });
  readonly #open = new Set<Exchange>();
  readonly #host: ExchangeHost;
  #ticker: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: SenderOptions) {
    const { now, allow, blockedPorts, ownPlace = null } = options;
    this.#options = options;
    this.#rules = { allow, blockedPorts, ownPlace };
    this.#dialer = createDialer({
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
    this.#pool = pool;
    this.#host = {
      now,
      ended: (exchange) => this.#open.delete(exchange),
      freed: (connection, answer) => pool.release(connection, now(), answer),
      lostKept: (connection) => pool.distrust(connection),
    };
  }

  send(
    request: RenderedRequest,
    mayWrite: () => boolean,
    rules?: Pick<RequestOwner, "mayReach" | "party" | "instanceNo">,
  ): Promise<SendResult> {
    return new Promise((ended) => this.start(request, { mayWrite, ended, ...rules }));
  }

  start(request: RenderedRequest, owner: RequestOwner): void {
    const exchange = new Exchange(this.#host, request, owner, this.#options.attemptTimeoutMs);
    if (this.#closed) {
      exchange.fail("stopped", "the sender is closed");
      return;
    }
    this.#open.add(exchange);
    // Sockets keep the process alive; the timer alone must not.
    this.#ticker ??= setInterval(() => this.#tick(), TICK_MS).unref();
    // Node throws for errors that it blames on the caller; they must not end the process.
    try {
      this.#begin(exchange);
    } catch (error) {
      exchange.fail("connection_failed", String(error));
    }
  }

  startSigned(unsigned: UnsignedRequest, owner: SignedOwner): void {
    startSigned((request, recorder) => this.start(request, recorder), unsigned, owner);
  }

  openSockets(): number {
    return this.#pool.size;
  }

  threads(): number {
    return 0;
  }

  close(): void {
    this.#closed = true;
    for (const exchange of this.#open) exchange.fail("stopped", "the sender was closed");
    this.#pool.closeIdle();
    if (this.#ticker !== null) clearInterval(this.#ticker);
    this.#ticker = null;
  }

  #tick(): void {
    const at = this.#options.now();
    for (const exchange of this.#open) exchange.check(at);
    this.#pool.sweep(at);
    if (this.#open.size > 0 || this.#pool.size > 0 || this.#ticker === null) return;
    clearInterval(this.#ticker);
    this.#ticker = null;
  }

  #placeOf(url: string): Place | string {
    let place = this.#places.get(url);
    if (place === undefined) {
      const target = readTarget(url, this.#rules);
      place = typeof target === "string" ? target : { target, party: "", key: target.origin };
      this.#places.set(url, place);
    }
    return place;
  }

  #begin(exchange: Exchange): void {
    const place = this.#placeOf(exchange.url);
    if (typeof place === "string") {
      exchange.fail("blocked", place);
      return;
    }
    const kept = this.#takeKept(exchange, place);
    if (kept !== null && kept.flushed && this.#options.now() - kept.idleSince < FRESH_MS) {
      this.#startOnKept(exchange, kept);
      return;
    }
    const started =
      kept === null
        ? this.#dialAndStart(exchange, place)
        : this.#startAfterPoll(exchange, place, kept);
    started.catch((error: unknown) => exchange.fail("connection_failed", String(error)));
  }

  #takeKept(exchange: Exchange, place: Place): Connection | null {
    const key = keyOf(exchange, place);
    for (;;) {
      const kept = this.#pool.take(key, this.#options.now());
      if (kept === null || exchange.mayReach(kept.address)) return kept;
      kept.close();
    }
  }

  #startOnKept(exchange: Exchange, kept: Connection): void {
    exchange.reusedConnection = true;
    exchange.start(kept);
  }

  /**
   * Lets the event loop read what the receiver sent meanwhile, above all the end of the connection. A connection that
   * was not flushed before is flushed or closed afterwards.
   */
  async #startAfterPoll(exchange: Exchange, place: Place, kept: Connection): Promise<void> {
    exchange.hold(kept);
    await new Promise(setImmediate);
    if (exchange.ended) return;
    if (kept.usable) this.#startOnKept(exchange, kept);
    else await this.#dialAndStart(exchange, place);
  }

  async #dialAndStart(exchange: Exchange, place: Place): Promise<void> {
    const { target } = place;
    const addresses = await this.#dialer.lookUp(target, exchange.timings);
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
    const connection = this.#pool.open(keyOf(exchange, place), target.origin);
    if (connection === null) {
      exchange.fail("socket_limit", "all sockets are in use");
      return;
    }
    exchange.hold(connection);
    const failure = await this.#dialer.dial(
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
}

export function createSender(options: SenderOptions): Sender {
  return new DirectSender(options);
}

/**
 * Key of its connections. It is kept from one request to the next, because a new text would be hashed again at every
 * look-up.
 */
function keyOf({ party }: Exchange, place: Place): string {
  if (place.party !== party) {
    place.party = party;
    place.key = party === "" ? place.target.origin : `${place.target.origin} ${party}`;
  }
  return place.key;
}
