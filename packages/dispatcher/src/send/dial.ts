import { connect, isIP, type Socket } from "node:net";
import type { Timings } from "@markethook/store";
import { LRUCache } from "lru-cache";

import type { AllowList } from "../guard/allow-list.ts";
import { parseAddress } from "../guard/parse-address.ts";
import { ResolveError, type Resolver } from "../guard/resolver.ts";
import { vetAddresses } from "../guard/vet-addresses.ts";
import { categoryOf, describe, type DialFailure } from "./connect-error.ts";
import type { Connection } from "./connection.ts";
import { type EgressProxy, findProxy, openTunnel } from "./egress-proxy.ts";
import type { Target } from "../guard/url-rules.ts";
import { createSecureSocket, type TlsOptions } from "./tls.ts";

export interface DialerOptions extends TlsOptions {
  allow: AllowList;
  resolver: Resolver;
  /** Null: receivers are connected to directly. */
  egressProxy: EgressProxy | null;
}

export type Dialer = ReturnType<typeof createDialer>;

/** Addresses of names that have several are tried last for this long after they did not answer to a connect. */
const SILENT_MS = 600_000;
const SILENT_ADDRESSES = 10_000;

/** Most answers fit. It is small because every connection has one. */
const READ_BUFFER_BYTES = 4096;

/**
 * Connects to a receiver: resolves the name, judges every address, connects to a judged address and nothing else,
 * compares the peer, then starts TLS for the name in the URL. No second lookup could give another answer. Through a
 * proxy it is the same, but the proxy connects to the judged address, and there is no peer to compare.
 */
export function createDialer(options: DialerOptions) {
  const { now, egressProxy } = options;
  const secure = createSecureSocket(options);
  const silent = new LRUCache<string, true>({
    max: SILENT_ADDRESSES,
    ttl: SILENT_MS,
    perf: { now },
    ttlResolution: 0,
  });

  return {
    /** The target's addresses, if every one of them may be dialled. */
    async lookUp(target: Target, timings: Timings): Promise<string[] | DialFailure> {
      let addresses = [target.host];
      if (isIP(target.host) === 0) {
        const from = now();
        try {
          addresses = await options.resolver.resolve(target.host);
        } catch (error) {
          const category = error instanceof ResolveError ? error.category : "dns_failure";
          return { category, detail: String(error) };
        } finally {
          timings.dnsMs = now() - from;
        }
      }
      const vetted = vetAddresses(target.host, addresses, target.port, options.allow);
      if ("addresses" in vetted) return vetted.addresses;
      return { category: "blocked", detail: `${target.host}: ${vetted.forbidden}` };
    },

    /**
     * Makes the connection usable and returns null, or returns the reason of the failure. Closing the connection ends it
     * early.
     */
    async dial(
      target: Target,
      addresses: readonly string[],
      connection: Connection,
      /** Monotonic milliseconds. It ends a silent address only while there are others to try. */
      deadline: number,
      timings: Timings,
    ): Promise<DialFailure | null> {
      const connectFrom = now();
      let proxy: Way["proxy"] = null;
      if (egressProxy !== null) {
        const address = await findProxy(egressProxy, options.resolver);
        if (typeof address !== "string") return address;
        proxy = { ...egressProxy, address };
        // A socket that is attached from now on would never be closed.
        if (connection.closed) return { category: "stopped", detail: "before the dial" };
      }
      const way = { target, proxy, connection };
      const inTurn = addresses.toSorted((a, b) => Number(silent.has(a)) - Number(silent.has(b)));
      const socket = await connectInTurn(way, inTurn, deadline, now, silent);
      timings.connectMs = now() - connectFrom;
      if ("category" in socket) return socket;
      if (!target.secure) {
        if (proxy !== null) {
          socket.on("data", (bytes: Buffer) => connection.receive(bytes));
          socket.resume();
        }
        return watch(socket, connection);
      }

      const tlsFrom = now();
      const tls = await secure(socket, target, connection);
      timings.tlsMs = now() - tlsFrom;
      if ("category" in tls) return tls;
      tls.on("data", (bytes: Buffer) => connection.receive(bytes));
      return watch(tls, connection);
    },
  };
}

interface Way {
  target: Target;
  /** The proxy, with the address of its name. */
  proxy: (EgressProxy & { address: string }) | null;
  connection: Connection;
}

async function connectInTurn(
  way: Way,
  addresses: readonly string[],
  deadline: number,
  now: () => number,
  silent: LRUCache<string, true>,
): Promise<Socket | DialFailure> {
  const { connection } = way;
  const failures: DialFailure[] = [];
  for (const [index, address] of addresses.entries()) {
    const left = addresses.length - index;
    // An equal share of the time that is left, so that one silent address does not use up the time of the others.
    const shareMs = left === 1 ? null : (deadline - now()) / left;
    const outcome = await connectTo(address, way, shareMs);
    if (!("category" in outcome)) return outcome;
    if (outcome.category === "timeout") silent.set(address, true);
    failures.push(outcome);
    connection.detach();
    if (connection.closed || outcome.category === "blocked") break;
  }
  const detail = failures.map((failure) => failure.detail).join("; ");
  // The first failure counts: a second address family that this machine does not have would hide the cause.
  return { category: failures[0]?.category ?? "connection_failed", detail };
}

function connectTo(
  address: string,
  way: Way,
  limitMs: number | null,
): Promise<Socket | DialFailure> {
  const { target, proxy, connection } = way;
  return new Promise((resolve) => {
    const socket = openSocket(address, way);
    connection.attach(socket);
    const fail = (error: Error | null): void => {
      clearTimeout(timer);
      const category = categoryOf(error, "connect");
      const what = proxy === null ? address : "egress proxy";
      resolve({
        // How a proxy refuses is no news of the receiver.
        category: proxy === null || category === "socket_limit" ? category : "connection_failed",
        detail: `${what}: ${describe(error)}`,
      });
    };
    const timer =
      limitMs === null
        ? undefined
        : setTimeout(() => {
            resolve({ category: "timeout", detail: `${address}: no answer to the connect` });
          }, limitMs);
    // This handler stays: an error between two phases must not be uncaught, and the next phase sees it too.
    socket.on("error", fail);
    socket.once("close", () => fail(null));
    socket.once("connect", () => {
      connection.address = address;
      if (proxy === null) {
        clearTimeout(timer);
        resolve(comparePeer(socket, address) ?? socket);
        return;
      }
      void openTunnel(socket, proxy, address, target.port).then((failure) => {
        clearTimeout(timer);
        resolve(failure ?? socket);
      });
    });
  });
}

function openSocket(address: string, { target, proxy, connection }: Way): Socket {
  const common = {
    host: proxy?.address ?? address,
    port: proxy?.port ?? target.port,
    autoSelectFamily: false,
    // A request is one write, and the last part of a long one must not wait for an acknowledgement.
    noDelay: true,
  };
  if (target.secure || proxy !== null) return connect(common);
  return connect({
    ...common,
    // Reads into one buffer per connection instead of a new one per read.
    onread: {
      buffer: Buffer.allocUnsafeSlow(READ_BUFFER_BYTES),
      callback(size, buffer) {
        connection.receive(Buffer.from(buffer.buffer, buffer.byteOffset, size));
        return true;
      },
    },
  });
}

/** The kernel connected to the given address, unless something in between rewrote it. Then nothing is sent. */
function comparePeer(socket: Socket, address: string): DialFailure | null {
  const peer = socket.remoteAddress;
  if (peer === undefined) return { category: "connection_reset", detail: `${address}: closed` };
  if (parseAddress(peer)?.toString() === parseAddress(address)?.toString()) return null;
  return { category: "blocked", detail: `${address}: connected to ${peer}` };
}

function watch(socket: Socket, connection: Connection): null {
  socket.on("end", () => connection.ended());
  socket.on("error", (error) => connection.lost(error));
  socket.on("close", () => connection.lost(null));
  return null;
}
