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

/** For tests; the server takes them from settings. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  total: 2000,
  perAddress: 1000,
  idleMs: 72_000,
  unreadMs: 60_000,
  graceMs: 1000,
};

/** Why a connection was cut. */
export type CutReason = "total_full" | "address_full" | "idle" | "unread" | "unfinished";
