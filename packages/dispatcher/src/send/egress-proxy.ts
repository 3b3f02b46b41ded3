import { isIPv6, type Socket } from "node:net";

import { ResolveError, type Resolver } from "../guard/resolver.ts";
import { describe, type DialFailure } from "./connect-error.ts";

/** An HTTP proxy that takes CONNECT, for networks where it is the only way out. */
export interface EgressProxy {
  /** A name, or an address without brackets. */
  host: string;
  port: number;
  /** Value of `Proxy-Authorization`. */
  authorization: string | null;
}

/** Limit of the head of the proxy's answer. */
const HEAD_BYTES = 16 * 1024;
const HEAD_END = "\r\n\r\n";

/** The proxy's own address. The operator named it, so the guard's rules do not apply to it. */
export async function findProxy(
  proxy: EgressProxy,
  resolver: Resolver,
): Promise<string | DialFailure> {
  try {
    const [address] = await resolver.resolve(proxy.host);
    if (address !== undefined) return address;
    return failure("its name leads to no address");
  } catch (error) {
    const isOurs = error instanceof ResolveError && error.category === "socket_limit";
    return failure(String(error), isOurs ? "socket_limit" : "connection_failed");
  }
}

/**
 * Asks for a tunnel to this address over a socket that is connected to the proxy. Null once it is open: from then on
 * the socket is the receiver's, and paused. The proxy gets an address and never a name, because it could resolve a name
 * otherwise.
 */
export function openTunnel(
  socket: Socket,
  proxy: EgressProxy,
  address: string,
  port: number,
): Promise<DialFailure | null> {
  const authority = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  return new Promise((resolve) => {
    let head = "";
    const end = (outcome: DialFailure | null): void => {
      socket.off("data", onData);
      socket.off("error", onLost);
      socket.off("close", onLost);
      socket.pause();
      resolve(outcome);
    };
    const onLost = (error?: unknown): void =>
      end(failure(describe(error instanceof Error ? error : null)));
    const onData = (bytes: Buffer): void => {
      head += bytes.toString("latin1");
      const at = head.indexOf(HEAD_END);
      if (at >= 0) return end(judgeAnswer(head, at));
      if (head.length > HEAD_BYTES) end(failure("its answer has no end"));
    };
    socket.on("data", onData);
    socket.on("error", onLost);
    socket.on("close", onLost);
    const credentials =
      proxy.authorization === null ? "" : `Proxy-Authorization: ${proxy.authorization}\r\n`;
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`);
  });
}

function judgeAnswer(head: string, end: number): DialFailure | null {
  const status = /^HTTP\/1\.[01] (\d{3})(?: |\r)/.exec(head)?.[1];
  if (status === undefined) return failure("its answer is not HTTP");
  if (!status.startsWith("2")) return failure(`it answered ${status}`);
  // No request was sent to the receiver yet, so this is not its answer.
  return head.length > end + HEAD_END.length ? failure("it sent more than its answer") : null;
}

/** The details of a proxy's fault are for the operator; an owner only sees that there is no connection. */
function failure(
  why: string,
  category: DialFailure["category"] = "connection_failed",
): DialFailure {
  return { category, detail: `egress proxy: ${why}` };
}
