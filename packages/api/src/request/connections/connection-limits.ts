/** Bounds on the connections that clients hold open. */
export interface ConnectionLimits {
  /** Most connections of all clients. */
  total: number;
  /** Most connections of one address, or of one /64 network of IPv6; 0: only `total` counts. */
  perAddress: number;
  /** How long a connection stays open between two requests. */
  idleMs: number;
  /** How long an answer may wait for its reader. */
  unreadMs: number;
  /** How long a connection that we ended waits for the client to end it too. */
  graceMs: number;
}

/** Why a connection was cut. */
export type CutReason = "total_full" | "address_full" | "idle" | "unread" | "unfinished";

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The part of an address that one client cannot change freely: all of IPv4, the first 64 bits of IPv6. */
export function addressGroup(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::", 2);
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  return [...first, ...Array<string>(zeros).fill("0"), ...last].slice(0, 4).join(":");
}
