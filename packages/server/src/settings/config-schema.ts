import { chatFormats } from "@markethook/chat";
import { DEFAULT_SERVICE_NAME } from "@markethook/protocol";
import {
  DEFAULT_BLOCKED_PORTS,
  DEFAULT_SCHEDULE,
  parseAllowList,
  parseSchedule,
} from "@markethook/dispatcher";
import { kind, named, secret, type Setting, setting } from "./setting.ts";
import {
  apiKey,
  chatOrigins,
  contact,
  duration,
  egressProxy,
  entryUrl,
  flag,
  listenHost,
  LONGEST_TIMER,
  masterKeys,
  oneOf,
  origins,
  ownUrl,
  ports,
  postedTo,
  postgresUrl,
  serviceName,
  signingSecret,
  text,
  tlsCurves,
  trustProxy,
  whole,
} from "./setting-readers.ts";

const CHAT_NAMES = chatFormats.map(({ name }) => `\`${name}\``).join(", ");

/** Every setting there is. `docs/reference/configuration.md` is generated from this table, and parsing runs over it. */
export const SETTINGS = named({
  host: setting("127.0.0.1", "Address to listen on.", kind("address", listenHost)),
  port: setting("8080", "Port to listen on; 0 takes a free one.", whole(0, 65_535, "port")),
  dataDir: setting(
    "./data",
    "Holds the SQLite database and the key file. One process per folder.",
    kind("folder", text),
  ),
  databaseUrl: setting(
    null,
    "`postgres://…` to use PostgreSQL; unset: SQLite in the data folder. Several servers of one cluster: [failover](../how-to/fail-over-postgresql.md).",
    secret(kind("URL", postgresUrl)),
  ),
  databaseDirectUrl: setting(
    null,
    "Past pgbouncer, for heartbeats and notifications; unset: as DATABASE_URL, which must be set with it.",
    secret(kind("URL", postgresUrl)),
  ),
  serviceName: setting(
    DEFAULT_SERVICE_NAME,
    "The marketplace's name in `X-{name}-Signature` and the other headers.",
    kind("word", serviceName),
  ),
  baseUrl: setting(
    null,
    "Of the marketplace's resource pages: `{base}/resource/{id}`; host, port and path only. `serve` needs it.",
    kind("URL", ownUrl),
  ),
  publicUrl: setting(
    null,
    "Under which this service is reached from outside: host, port and path prefix.",
    kind("URL", ownUrl),
  ),
  securityContact: setting(
    null,
    "`mailto:` or `https:`: whom to tell of a hole in this service; served as `/.well-known/security.txt`.",
    kind("URI", contact),
  ),
  embedOrigins: setting(
    "",
    "Whose pages may show the owners' webhooks page in a frame, as `https://market.example`, with commas; none if empty.",
    kind("origins", origins),
  ),
  portalEntryUrl: setting(
    null,
    "The marketplace's page that sends its logged-in owner to a new portal session. Owners' pages without one lead there, with `path` for the way back.",
    kind("URL", entryUrl),
  ),
  trustProxy: setting(
    "false",
    "Addresses or CIDRs of proxies whose X-Forwarded headers are believed; `false`: none.",
    kind("addresses", trustProxy),
  ),
  apiKey: setting(
    null,
    "A first API key with all scopes. Unset: one is made at the first start and printed once.",
    secret(kind("key", apiKey)),
  ),
  masterKey: setting(
    null,
    "Base64 of 32 bytes that encrypt secrets in the database; several with commas, the first one encrypts.",
    secret(kind("keys", masterKeys)),
  ),
  masterKeyFile: setting(
    null,
    "Holds the master keys, a line each. Unset, and no MASTER_KEY: `master.key` in the data folder, made at the first start.",
    kind("file", text),
  ),
  allowTargets: setting(
    "",
    "Addresses that receivers may have although not public: CIDR or CIDR:port, with commas.",
    kind("CIDRs", parseAllowList),
  ),
  chatOrigins: setting(
    "",
    `Where APIs of chat platforms are reached instead of their own origins, for tests and for a proxy in front of them: with commas, each with its name (${CHAT_NAMES}).`,
    kind("name=origin", chatOrigins),
  ),
  egressProxy: setting(
    null,
    "`http://name:password@host:port` of an HTTP proxy that is the only way to receivers; unset: they are connected to directly.",
    secret(kind("URL", egressProxy)),
  ),
  blockPorts: setting(
    [...DEFAULT_BLOCKED_PORTS].sort((a, b) => a - b).join(","),
    "Ports that receivers may not have.",
    kind("ports", ports),
  ),
  dryRun: setting(
    "false",
    "`true`: accept and show everything, and send nothing except to ALLOW_TARGETS; for a staging copy of real data.",
    kind("true or false", flag),
  ),
  noticesUrl: setting(
    null,
    "Where notices are posted to, signed and in order; may have a query. Any address, the guard's rules are for owners' URLs.",
    kind("URL", postedTo),
  ),
  noticesSecret: setting(
    null,
    "Signs what goes to NOTICES_URL: base64 of 24 bytes or more. Both are set, or neither.",
    secret(kind("secret", signingSecret)),
  ),
  expectStandbys: setting(
    "0",
    "Synchronous standbys that PostgreSQL should have; `markethook doctor` says when there are fewer.",
    whole(0, 100),
  ),
  retrySchedule: setting(
    DEFAULT_SCHEDULE,
    "Waits between the attempts of a delivery, each ± 20 %.",
    kind("durations", parseSchedule),
  ),
  attemptTimeout: setting(
    "15s",
    "From dialling a receiver to the last byte of its answer.",
    duration("100ms", LONGEST_TIMER),
  ),
  retention: setting(
    "30d",
    "How long ended deliveries are kept. Other deliveries are never pruned. Notices are kept as long, and at least 30 days.",
    duration("1m"),
  ),
  idempotencyRetention: setting("72h", "How long idempotency keys are kept.", duration("1m")),
  lease: setting(
    "8s",
    "An instance that misses its heartbeats for this long is dead; others take over.",
    duration("400ms", LONGEST_TIMER),
  ),
  concurrency: setting("512", "Open requests to receivers in all.", whole(1, 1000)),
  webhookConcurrency: setting("10", "Open requests per webhook.", whole(1, 1000)),
  hostConcurrency: setting("64", "Open requests per receiver host name and port.", whole(1, 1000)),
  addressConcurrency: setting("128", "Open requests per receiver address.", whole(1, 1000)),
  receiverConnections: setting(
    null,
    "Open connections to receivers in all, idle ones included; at least CONCURRENCY. Unset: as open files and a sixteenth of the memory allow, 1,000 to 10,000.",
    whole(1, 100_000),
  ),
  receiverIdleTimeout: setting(
    "2m",
    "Longest time that an idle connection to a receiver is kept: up to this as long as the receiver announces, less a second; 55 s where it announces nothing.",
    duration("100ms", LONGEST_TIMER),
  ),
  tlsSessionSize: setting(
    "32",
    "Memory for TLS sessions of receivers, which make a new connection cheaper; a session takes about 1.5 KiB.",
    whole(1, 4096, "MiB"),
  ),
  senderThreads: setting(
    null,
    "Threads that sign, connect to receivers, encrypt and send; 0: the main thread does. Each takes some 50 MiB. Unset: two fewer than the machine has cores, 0 to 4.",
    whole(0, 64, "threads"),
  ),
  tlsCurves: setting(
    null,
    "For the key exchange with receivers, e.g. `X25519:P-256:P-384`, which saves CPU time and gives up protection against future quantum computers. Unset: as OpenSSL chooses.",
    kind("curves", tlsCurves),
  ),
  queueSize: setting(
    "64",
    "Memory for deliveries that wait for their turn.",
    whole(2, 4096, "MiB"),
  ),
  intakeSize: setting(
    "32",
    "Memory for reported events that wait for their commit; above it the API answers 503.",
    whole(1, 4096, "MiB"),
  ),
  disableAfter: setting(
    "5d",
    "A webhook is disabled after this long without a success (and ten failures of two events).",
    duration("1s"),
  ),
  probeEvery: setting(
    "1h",
    "How often a webhook that was disabled for failing is tried with its oldest held delivery. Each instance tries up to 100 a second, so a round over very many may take longer.",
    duration("100ms"),
  ),
  stopDelay: setting(
    "0s",
    "After SIGTERM, how long requests are still taken while `/readyz` answers 503, so that load balancers notice.",
    duration("0s", LONGEST_TIMER),
  ),
  clientConnections: setting(
    "2000",
    "Connections of clients in all. A new one is taken in place of one that waits.",
    whole(10, 100_000),
  ),
  clientAddressConnections: setting(
    null,
    "Connections per client address; 0: no limit. Unset: 1000, and no limit where TRUST_PROXY is set.",
    whole(0, 100_000),
  ),
  clientIdleTimeout: setting(
    "72s",
    "How long a client's connection stays open between two requests. Longer than the proxy's in front.",
    duration("1s", LONGEST_TIMER),
  ),
  clientReadTimeout: setting(
    "60s",
    "How long an answer may wait for its reader until the connection is cut.",
    duration("1s", LONGEST_TIMER),
  ),
  clientCloseGrace: setting(
    "1s",
    "How long a connection that was ended, e.g. with a 408, waits for the client to end it too.",
    duration("10ms", LONGEST_TIMER),
  ),
  clientBodySize: setting(
    "64",
    "Memory for bodies of requests that are arriving; above it the API answers 503. Owners have a quarter of it.",
    whole(16, 4096, "MiB"),
  ),
  ownerPings: setting(
    "10",
    "Pings and samples of one owner within a minute; 0: no limit. Counted per instance, as the next five.",
    whole(0, 10_000),
  ),
  ownerSends: setting(
    "60",
    "Single deliveries of one owner that are sent again, or before their time, within a minute; 0: no limit.",
    whole(0, 10_000),
  ),
  ownerCheckups: setting(
    "3",
    "Check-ups of one owner's receivers within a minute, of a dozen requests each; 0: no limit.",
    whole(0, 10_000),
  ),
  ownerUrlChecks: setting(
    "60",
    "URLs of one owner that are checked within a minute, while typed or when saved, and pasted requests; 0: no limit.",
    whole(0, 10_000),
  ),
  ownerBulkActions: setting(
    "10",
    "Replays, copies, and sending what waits or was held, of one owner within a minute; 0: no limit.",
    whole(0, 10_000),
  ),
  ownerChanges: setting(
    "120",
    "Other changes and revealed secrets of one owner, by portal sessions, within a minute; 0: no limit.",
    whole(0, 10_000),
  ),
  keyRate: setting(
    "20000",
    "Requests in a second that one API key may make to one instance; 0: no limit.",
    whole(0, 1_000_000),
  ),
  samplePort: setting(
    "8081",
    "Of the sample receiver, in development mode only; 0 takes a free one.",
    whole(0, 65_535, "port"),
  ),
  sampleMarketplacePort: setting(
    "8082",
    "Of the sample marketplace, in development mode only; 0 takes a free one.",
    whole(0, 65_535, "port"),
  ),
  logLevel: setting(
    "info",
    "trace, debug, info, warn, error or silent. At debug every attempt is logged, at info the failed ones.",
    kind("word", oneOf(["trace", "debug", "info", "warn", "error", "silent"])),
  ),
});

export type SettingName = keyof typeof SETTINGS;
type ValueOf<S> =
  S extends Setting<infer T, infer Fallback> ? (Fallback extends null ? T | null : T) : never;

/** Settings without a default may be absent. */
export type Config = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> };
