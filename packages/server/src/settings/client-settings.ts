import { setting } from "./setting.ts";
import { duration, LONGEST_TIMER, whole } from "./setting-readers.ts";

/** Connections of clients of the API and the pages. */
export const CLIENT_SETTINGS = {
  stopDelay: setting(
    "STOP_DELAY",
    "0s",
    "After SIGTERM, how long requests are still taken while `/readyz` answers 503, so that load balancers notice.",
    duration("0s", LONGEST_TIMER),
  ),
  clientConnections: setting(
    "CLIENT_CONNECTIONS",
    "2000",
    "Connections of clients in all. A new one is taken in place of one that waits.",
    whole(10, 100_000),
  ),
  clientAddressConnections: setting(
    "CLIENT_ADDRESS_CONNECTIONS",
    null,
    "Connections per client address; 0: no limit. Unset: 1000, and no limit where TRUST_PROXY is set.",
    whole(0, 100_000),
  ),
  clientIdleTimeout: setting(
    "CLIENT_IDLE_TIMEOUT",
    "72s",
    "How long a client's connection stays open between two requests. Longer than the proxy's in front.",
    duration("1s", LONGEST_TIMER),
  ),
  clientReadTimeout: setting(
    "CLIENT_READ_TIMEOUT",
    "60s",
    "How long an answer may wait for its reader until the connection is cut.",
    duration("1s", LONGEST_TIMER),
  ),
  clientCloseGrace: setting(
    "CLIENT_CLOSE_GRACE",
    "1s",
    "How long a connection that was ended, e.g. with a 408, waits for the client to end it too.",
    duration("10ms", LONGEST_TIMER),
  ),
  clientBodySize: setting(
    "CLIENT_BODY_SIZE",
    "64",
    "Memory for bodies of requests that are arriving; above it the API answers 503. Owners have a quarter of it.",
    whole(16, 4096, "MiB"),
  ),
};
